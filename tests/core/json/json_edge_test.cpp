// Edge cases of JSON, named as in the JSON test suites: y_ must be accepted and n_ refused. RFC 8259 leaves i_ open, so this program
// decides. NaN, Infinity and -Infinity are not JSON, but are accepted in configurations because Python writes them there.

#include "core/inputs/tensors/json_scanner.hpp"
#include "core/json/json_text.hpp"
#include "core/support/error.hpp"
#include "tests/support/catch.hpp"

namespace param_ledger::test {

namespace {

using namespace std::string_view_literals;

struct Edge {
  const char* name;
  std::string_view text;
};

constexpr Edge read_ones[] = {
    {"y_array_arrays_with_spaces", "[[]   ]"},
    {"y_array_empty", "[]"},
    {"y_array_empty_string", R"([""])"},
    {"y_array_ending_with_newline", "[\"a\"]\n"},
    {"y_array_false", "[false]"},
    {"y_array_heterogeneous", R"([null, 1, "1", {}])"},
    {"y_array_null", "[null]"},
    {"y_array_with_1_and_newline", "[1\n]"},
    {"y_array_with_leading_space", " [1]"},
    {"y_array_with_several_null", "[1,null,null,null,2]"},
    {"y_array_with_trailing_space", "[2] "},
    {"y_number_simple_int", "[123]"},
    {"y_number_simple_real", "[123.456789]"},
    {"y_number_negative_int", "[-123]"},
    {"y_number_negative_one", "[-1]"},
    {"y_number_negative_zero", "[-0]"},
    {"y_number_minus_zero_fraction", "[-0.0]"},
    {"y_number_0e1", "[0e1]"},
    {"y_number_0e_plus_1", "[0e+1]"},
    {"y_number_after_space", "[ 4]"},
    {"y_number_real_capital_e", "[1E22]"},
    {"y_number_real_capital_e_neg_exp", "[1E-2]"},
    {"y_number_real_capital_e_pos_exp", "[1E+2]"},
    {"y_number_real_fraction_exponent", "[123.456e78]"},
    {"y_number_double_close_to_zero", "[-0.000000000000000000000000000000000000000000000000000000000000000000000000000001]"},
    {"y_object_basic", R"({"asd":"sdf"})"},
    {"y_object_duplicated_key", R"({"a":"b","a":"c"})"},
    {"y_object_duplicated_key_and_value", R"({"a":"b","a":"b"})"},
    {"y_object_empty", "{}"},
    {"y_object_empty_key", R"({"":0})"},
    {"y_object_escaped_null_in_key", R"({"foo\u0000bar": 42})"},
    {"y_object_extreme_numbers", R"({"min": -1.0e+28, "max": 1.0e+28})"},
    {"y_object_string_unicode", R"({"title":"\u041f\u043e\u043b"})"},
    {"y_object_with_newlines", "{\n\"a\": \"b\"\n}"},
    {"y_string_1_2_3_bytes_UTF-8_sequences", R"(["\u0060\u012a\u12AB"])"},
    {"y_string_accepted_surrogate_pair", R"(["\uD801\udc37"])"},
    {"y_string_accepted_surrogate_pairs", R"(["\ud83d\ude39\ud83d\udc8d"])"},
    {"y_string_allowed_escapes", R"(["\"\\\/\b\f\n\r\t"])"},
    {"y_string_backslash_and_u_escaped_zero", R"(["\\u0000"])"},
    {"y_string_backslash_doublequotes", R"(["\""])"},
    {"y_string_comments", R"(["a/*b*/c/*d//e"])"},
    {"y_string_double_escape_a", R"(["\\a"])"},
    {"y_string_escaped_control_character", R"(["\u0012"])"},
    {"y_string_escaped_noncharacter", R"(["\uFFFF"])"},
    {"y_string_in_array", R"(["asd"])"},
    {"y_string_last_surrogates", R"(["\uDBFF\uDFFF"])"},
    {"y_string_nonCharacterInUTF-8_U+10FFFF", "[\"\xf4\x8f\xbf\xbf\"]"},
    {"y_string_nonCharacterInUTF-8_U+FFFF", "[\"\xef\xbf\xbf\"]"},
    {"y_string_null_escape", R"(["\u0000"])"},
    {"y_string_one-byte-utf-8", R"(["\u002c"])"},
    {"y_string_pi", "[\"\xcf\x80\"]"},
    {"y_string_simple_ascii", R"(["asd "])"},
    {"y_string_space", R"(" ")"},
    {"y_string_surrogates_U+1D11E", R"(["\uD834\uDd1e"])"},
    {"y_string_three-byte-utf-8", R"(["\u0821"])"},
    {"y_string_two-byte-utf-8", R"(["\u0123"])"},
    {"y_string_u+2028_line_sep", "[\"\xe2\x80\xa8\"]"},
    {"y_string_uEscape", R"(["\u0061\u30af\u30EA\u30b9"])"},
    {"y_string_uescaped_newline", R"(["new\u000Aline"])"},
    {"y_string_unescaped_char_delete", "[\"\x7f\"]"},
    {"y_string_unicode_escaped_double_quote", R"(["\u0022"])"},
    {"y_string_utf8", "[\"\xe2\x82\xac\xf0\x9d\x84\x9e\"]"},
    {"y_string_with_del_character",
     "[\"a\x7f"
     "a\"]"},
    {"y_structure_lonely_false", "false"},
    {"y_structure_lonely_int", "42"},
    {"y_structure_lonely_negative_real", "-0.1"},
    {"y_structure_lonely_null", "null"},
    {"y_structure_lonely_string", R"("asd")"},
    {"y_structure_string_empty", R"("")"},
    {"y_structure_trailing_newline", "[\"a\"]\n"},
    {"y_structure_true_in_array", "[true]"},
    {"y_structure_whitespace_array", " [] "},
};

constexpr Edge refused_ones[] = {
    {"n_array_1_true_without_comma", "[1 true]"},
    {"n_array_a_invalid_utf8", "[a\xe5]"},
    {"n_array_colon_instead_of_comma", R"(["": 1])"},
    {"n_array_comma_after_close", R"([""],)"},
    {"n_array_comma_and_number", "[,1]"},
    {"n_array_double_comma", "[1,,2]"},
    {"n_array_double_extra_comma", R"(["x",,])"},
    {"n_array_extra_close", R"(["x"]])"},
    {"n_array_extra_comma", R"(["",])"},
    {"n_array_incomplete", R"(["x")"},
    {"n_array_incomplete_invalid_value", "[x"},
    {"n_array_inner_array_no_comma", "[3[4]]"},
    {"n_array_invalid_utf8", "[\xff]"},
    {"n_array_items_separated_by_semicolon", "[1:2]"},
    {"n_array_just_comma", "[,]"},
    {"n_array_just_minus", "[-]"},
    {"n_array_missing_value", "[   , \"\"]"},
    {"n_array_newlines_unclosed", "[\"a\",\n4\n,1,"},
    {"n_array_number_and_comma", "[1,]"},
    {"n_array_number_and_several_commas", "[1,,]"},
    {"n_array_spaces_vertical_tab_formfeed", "[\"\va\"\\f]"},
    {"n_array_star_inside", "[*]"},
    {"n_array_unclosed", "[\"\""},
    {"n_array_unclosed_trailing_comma", "[1,"},
    {"n_array_unclosed_with_new_lines", "[1,\n1\n,1"},
    {"n_array_unclosed_with_object_inside", "[{}"},
    {"n_incomplete_false", "[fals]"},
    {"n_incomplete_null", "[nul]"},
    {"n_incomplete_true", "[tru]"},
    {"n_multidigit_number_then_00", "123\0"sv},
    {"n_number_++", "[++1234]"},
    {"n_number_+1", "[+1]"},
    {"n_number_+Inf", "[+Inf]"},
    {"n_number_-01", "[-01]"},
    {"n_number_-1.0.", "[-1.0.]"},
    {"n_number_-2.", "[-2.]"},
    {"n_number_-NaN", "[-NaN]"},
    {"n_number_.-1", "[.-1]"},
    {"n_number_.2e-3", "[.2e-3]"},
    {"n_number_0.1.2", "[0.1.2]"},
    {"n_number_0.3e", "[0.3e]"},
    {"n_number_0.3e+", "[0.3e+]"},
    {"n_number_0.e1", "[0.e1]"},
    {"n_number_0E", "[0E]"},
    {"n_number_0E+", "[0E+]"},
    {"n_number_1.0e", "[1.0e]"},
    {"n_number_1.0e-", "[1.0e-]"},
    {"n_number_1_000", "[1 000.0]"},
    {"n_number_1eE2", "[1eE2]"},
    {"n_number_2.e3", "[2.e3]"},
    {"n_number_9.e+", "[9.e+]"},
    {"n_number_Inf", "[Inf]"},
    {"n_number_U+FF11_fullwidth_digit_one", "[\xef\xbc\x91]"},
    {"n_number_expression", "[1+2]"},
    {"n_number_hex_1_digit", "[0x1]"},
    {"n_number_hex_2_digits", "[0x42]"},
    {"n_number_invalid+-", "[0e+-1]"},
    {"n_number_invalid-negative-real", "[-123.123foo]"},
    {"n_number_minus_infinity_written_out", "[-infinity]"},
    {"n_number_minus_sign_with_trailing_garbage", "[-foo]"},
    {"n_number_minus_space_1", "[- 1]"},
    {"n_number_neg_int_starting_with_zero", "[-012]"},
    {"n_number_neg_real_without_int_part", "[-.123]"},
    {"n_number_neg_with_garbage_at_end", "[-1x]"},
    {"n_number_real_garbage_after_e", "[1ea]"},
    {"n_number_real_without_fractional_part", "[1.]"},
    {"n_number_starting_with_dot", "[.123]"},
    {"n_number_with_alpha", "[1.2a-3]"},
    {"n_number_with_leading_zero", "[012]"},
    {"n_object_bad_value", R"(["x", truth])"},
    {"n_object_bracket_key", R"({[: "x"})"},
    {"n_object_comma_instead_of_colon", R"({"x", null})"},
    {"n_object_double_colon", R"({"x"::"b"})"},
    {"n_object_emoji", "{\xf0\x9f\x87\xa8\xf0\x9f\x87\xad}"},
    {"n_object_garbage_at_end", R"({"a":"a" 123})"},
    {"n_object_key_with_single_quotes", "{key: 'value'}"},
    {"n_object_lone_continuation_byte_in_key", "{\"\xb9\":\"0\",}"},
    {"n_object_missing_colon", R"({"a" b})"},
    {"n_object_missing_key", R"({:"b"})"},
    {"n_object_missing_semicolon", R"({"a" "b"})"},
    {"n_object_missing_value", R"({"a":)"},
    {"n_object_no-colon", R"({"a")"},
    {"n_object_non_string_key", "{1:1}"},
    {"n_object_non_string_key_but_huge_number", "{9999E9999:1}"},
    {"n_object_repeated_null_null", "{null:null,null:null}"},
    {"n_object_several_trailing_commas", R"({"id":0,,,,,})"},
    {"n_object_single_quote", "{'a':0}"},
    {"n_object_trailing_comma", R"({"id":0,})"},
    {"n_object_trailing_comment", R"({"a":"b"}/**/)"},
    {"n_object_trailing_comment_slash_open", R"({"a":"b"}//)"},
    {"n_object_two_commas_in_a_row", R"({"a":"b",,"c":"d"})"},
    {"n_object_unquoted_key", R"({a: "b"})"},
    {"n_object_unterminated-value", R"({"a":"a)"},
    {"n_object_with_single_string", R"({ "foo" : "bar", "a" })"},
    {"n_object_with_trailing_garbage", R"({"a":"b"}#)"},
    {"n_single_space", " "},
    {"n_string_1_surrogate_then_escape", R"(["\uD800\"])"},
    {"n_string_1_surrogate_then_escape_u", R"(["\uD800\u"])"},
    {"n_string_1_surrogate_then_escape_u1", R"(["\uD800\u1"])"},
    {"n_string_accentuated_char_no_quotes", "[\xc3\xa9]"},
    {"n_string_backslash_00", "[\"\\\0\"]"sv},
    {"n_string_escape_x", R"(["\x00"])"},
    {"n_string_escaped_backslash_bad", R"(["\\\"])"},
    {"n_string_escaped_ctrl_char_tab", "[\"\\\t\"]"},
    {"n_string_escaped_emoji", "[\"\\\xf0\x9f\x8c\x80\"]"},
    {"n_string_incomplete_escape", R"(["\"])"},
    {"n_string_incomplete_escaped_character", R"(["\u00A"])"},
    {"n_string_incomplete_surrogate", R"(["\uD834\uDd"])"},
    {"n_string_invalid_backslash_esc", R"(["\a"])"},
    {"n_string_invalid_unicode_escape", R"(["\uqqqq"])"},
    {"n_string_invalid_utf8_after_escape", "[\"\\\xe5\"]"},
    {"n_string_invalid-utf-8-in-escape", "[\"\\u\xe5\"]"},
    {"n_string_leading_uescaped_thinspace", R"([\u0020"asd"])"},
    {"n_string_no_quotes_with_bad_escape", R"([\n])"},
    {"n_string_single_doublequote", "\""},
    {"n_string_single_quote", "['single quote']"},
    {"n_string_single_string_no_double_quotes", "abc"},
    {"n_string_start_escape_unclosed", R"(["\)"},
    {"n_string_unescaped_ctrl_char", "[\"a\0a\"]"sv},
    {"n_string_unescaped_newline", "[\"new\nline\"]"},
    {"n_string_unescaped_tab", "[\"\t\"]"},
    {"n_string_unicode_CapitalU", R"("\UA66D")"},
    {"n_string_with_trailing_garbage", R"(""x)"},
    {"n_structure_U+2060_word_joined", "[\xe2\x81\xa0]"},
    {"n_structure_angle_bracket_.", "<.>"},
    {"n_structure_angle_bracket_null", "[<null>]"},
    {"n_structure_array_trailing_garbage", "[1]x"},
    {"n_structure_array_with_extra_array_close", "[1]]"},
    {"n_structure_array_with_unclosed_string", R"(["asd])"},
    {"n_structure_capitalized_True", "[True]"},
    {"n_structure_close_unopened_array", "1]"},
    {"n_structure_comma_instead_of_closing_brace", R"({"x": true,)"},
    {"n_structure_double_array", "[][]"},
    {"n_structure_end_array", "]"},
    {"n_structure_incomplete_UTF8_BOM", "\xef\xbb{}"},
    {"n_structure_lone-invalid-utf-8", "\xe5"},
    {"n_structure_lone-open-bracket", "["},
    {"n_structure_no_data", ""},
    {"n_structure_null-byte-outside-string", "[\0]"sv},
    {"n_structure_number_with_trailing_garbage", "2@"},
    {"n_structure_object_followed_by_closing_object", "{}}"},
    {"n_structure_object_unclosed_no_value", R"({"":)"},
    {"n_structure_object_with_comment", R"({"a":/*comment*/"b"})"},
    {"n_structure_object_with_trailing_garbage", R"({"a": true} "x")"},
    {"n_structure_open_array_apostrophe", "['"},
    {"n_structure_open_array_comma", "[,"},
    {"n_structure_open_array_open_object", "[{"},
    {"n_structure_open_array_open_string", "[\"a"},
    {"n_structure_open_object", "{"},
    {"n_structure_open_object_close_array", "{]"},
    {"n_structure_open_object_comma", "{,"},
    {"n_structure_open_open", R"(["\{["\{["\{["\{)"},
    {"n_structure_single_eacute", "\xe9"},
    {"n_structure_single_star", "*"},
    {"n_structure_trailing_#", R"({"a":"b"}#{})"},
    {"n_structure_uescaped_LF_before_string", R"([\u000A""])"},
    {"n_structure_unclosed_array", "[1"},
    {"n_structure_unclosed_array_partial_null", "[ false, nul"},
    {"n_structure_unclosed_object", R"({"asd":"asd")"},
    {"n_structure_whitespace_U+2060_word_joiner", "\xe2\x81\xa0"},
    {"n_structure_whitespace_formfeed", "[\f]"},
};

/// Cases that RFC 8259 leaves open. The configuration reader accepts the cases in this list.
constexpr Edge open_read[] = {
    {"i_structure_UTF-8_BOM_empty_object", "\xef\xbb\xbf{}"},
    {"i_number_very_big_negative_int", "[-237462374673276894279832749832423479823246327846]"},
    {"i_number_too_big_pos_int", "[100000000000000000000]"},
    {"i_number_double_huge_neg_exp", "[123.456e-789]"},
    {"i_number_real_underflow", "[123e-10000000]"},
};
constexpr Edge open_refused[] = {
    {"i_number_huge_exp", "[0.4e00669999999999999999999999999999999999999999999999999999999999999999999]"},
    {"i_number_real_pos_overflow", "[123123e100000]"},
    {"i_number_real_neg_overflow", "[-123123e100000]"},
    {"i_string_1st_surrogate_but_2nd_missing", R"(["\uDADA"])"},
    {"i_string_1st_valid_surrogate_2nd_invalid", R"(["\uD888\u1234"])"},
    {"i_string_incomplete_surrogate_and_escape_valid", R"(["\uD800\n"])"},
    {"i_string_incomplete_surrogate_pair", R"(["\uDd1ea"])"},
    {"i_string_inverted_surrogates_U+1D11E", R"(["\uDd1e\uD834"])"},
    {"i_string_lone_second_surrogate", R"(["\uDFAA"])"},
    {"i_string_lone_utf8_continuation_byte", "[\"\x81\"]"},
    {"i_string_not_in_unicode_range", "[\"\xf4\xbf\xbf\xbf\"]"},
    {"i_string_overlong_sequence_2_bytes", "[\"\xc0\xaf\"]"},
    {"i_string_overlong_sequence_6_bytes", "[\"\xfc\x83\xbf\xbf\xbf\xbf\"]"},
    {"i_string_truncated-utf-8", "[\"\xe0\xff\"]"},
    {"i_string_UTF-8_invalid_sequence", "[\"\xe6\x97\xa5\xd1\x88\xfa\"]"},
    {"i_string_utf16LE_no_BOM", "[\0\"\0]\0"sv},
    {"i_string_UTF-16LE_with_BOM", "\xff\xfe[\0]\0"sv},
};

bool reads(std::string_view text) {
  try {
    const Document document(text);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// Whether the reader of safetensors headers accepts a text. It accepts neither a byte order mark nor NaN.
bool scans(std::string_view text) {
  try {
    JsonScanner scanner(text);
    scanner.skip();
    scanner.end();
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

TEST_CASE("both JSON readers accept valid JSON and refuse invalid JSON", "[json_text][inputs]") {
  for (const Edge& edge : read_ones) {
    CAPTURE(edge.name);
    CHECK(reads(edge.text));
    CHECK(scans(edge.text));
  }
  for (const Edge& edge : refused_ones) {
    CAPTURE(edge.name);
    CHECK_FALSE(reads(edge.text));
    CHECK_FALSE(scans(edge.text));
  }
  CHECK(std::size(read_ones) + std::size(refused_ones) > 200);
}

TEST_CASE("where RFC 8259 leaves a choice, configurations are read as Python does", "[json_text]") {
  for (const Edge& edge : open_read) {
    CAPTURE(edge.name);
    CHECK(reads(edge.text));
  }
  for (const Edge& edge : open_refused) {
    CAPTURE(edge.name);
    CHECK_FALSE(reads(edge.text));
  }
}

TEST_CASE("Python's extensions of JSON are accepted", "[json_text]") {
  for (const char* text : {"[NaN]", "[Infinity]", "[-Infinity]"}) {
    CAPTURE(text);
    CHECK(reads(text));
    CHECK_FALSE(scans(text));
  }
}

}  // namespace param_ledger::test
