// Reads files that torch and NumPy wrote (tests/data/torch.jsonl.gz), and pickles and archives that this file writes or changes, many of
// them malformed or hostile.

#include <set>
#include <sstream>

#include "tests/support/reading.hpp"

namespace param_ledger::test {

namespace {

std::vector<Json> torch_cases() {
  std::vector<Json> out;
  std::istringstream in(text_of("torch.jsonl.gz"));
  for (std::string line; std::getline(in, line);) out.push_back(parsed(line));
  return out;
}

/// The tensors of an answer, one per line and sorted by name. Index ranges are expanded.
std::string single(const Json& reading) {
  std::string out;
  for (const auto& [name, row] : single_tensors(reading)) out += name + ' ' + row.value("dtype", "") + ' ' + row.at("shape").dump() + '\n';
  return out;
}
std::string expected(const Json& tensors) {
  std::map<std::string, std::string> lines;
  for (const auto& [name, tensor] : tensors.items()) lines[name] = tensor.at(0).get<std::string>() + ' ' + tensor.at(1).dump();
  std::string out;
  for (const auto& [name, rest] : lines) out += name + ' ' + rest + '\n';
  return out;
}

std::string notes_of(const Json& reading) {
  std::string out;
  for (const Json& note : reading.value("notes", Json::array())) out += note.get<std::string>() + '\n';
  return out;
}

/// A string in pickle's encoding.
std::string worded(const std::string& text) { return 'X' + std::string{static_cast<char>(text.size()), '\0', '\0', '\0'} + text; }

/// The answer for a file in PyTorch's old format, which is a pickle without an archive.
Json pickled(const std::string& ops) { return reading_of({{"a.pt", "\x80\x02" + ops, {}}}); }

}  // namespace

TEST_CASE("torch and NumPy files are read tensor by tensor, and no code in them is run", "[inputs][torch]") {
  const std::vector<Json> cases = torch_cases();
  CHECK(cases.size() >= 52);
  for (const Json& one : cases) {
    const auto id = one.at("id").get<std::string>(), name = one.at("name").get<std::string>();
    CAPTURE(id);
    const std::optional<std::string> config = one.contains("config") ? std::optional(one.at("config").dump()) : std::nullopt;
    const Json reading = reading_of({{name, from_base64(one.at("file").get<std::string>()), {}}}, config);
    CAPTURE(reading.dump());
    REQUIRE(reading.at("ok") == true);
    const std::string problems = problems_of(reading);
    CHECK(problems.empty() == !one.contains("problems"));
    CHECK(reading.at("partial") == one.contains("problems"));
    for (const Json& words : one.value("problems", Json::array())) CHECK(problems.find(words.get<std::string>()) != std::string::npos);
    if (one.contains("buffers")) CHECK(total(reading, "buffers") == std::to_string(one.at("buffers").get<std::uint64_t>()));
    CHECK(reading.at("kind") == (name == "weights.npz" ? "numpy" : "pytorch"));
    CHECK(single(reading) == expected(one.at("tensors")));
    CHECK(std::stoull(total(reading)) + std::stoull(total(reading, "buffers")) == one.at("elements").get<std::uint64_t>());
    for (const Json& note : one.at("notes")) CHECK(notes_of(reading).find(note.get<std::string>()) != std::string::npos);
    if (config) CHECK(reading.at("check").at("agrees") == true);
  }
}

TEST_CASE("an array whose shape does not end is reported", "[inputs][torch]") {
  for (const Json& one : torch_cases()) {
    if (one.at("name") != "weights.npz") continue;
    const std::string whole = from_base64(one.at("file").get<std::string>());
    std::string file = whole;
    const std::size_t shape = file.find("'shape': (");
    for (std::size_t at = file.find(')', shape); file[at] != '\n'; ++at) file[at] = ' ';
    file[file.find('\n', shape)] = ' ';
    const Json reading = reading_of({{"weights.npz", file, {}}});
    const std::string problems = problems_of(reading);
    CHECK(problems.find("has a header without a shape") != std::string::npos);
    CHECK(std::count(problems.begin(), problems.end(), '\n') == 1);
    // The array is not listed.
    CHECK(single_tensors(reading).size() + 1 == single_tensors(reading_of({{"weights.npz", whole, {}}})).size());
    return;
  }
  FAIL("no case of NumPy");
}

TEST_CASE("calls in a pickle are named, but not executed", "[inputs][torch]") {
  const Json reading = pickled("cos\nsystem\n" + worded("true") + "\x85R.");
  CHECK(reading.at("partial") == true);
  CHECK(notes_of(reading) == "The file would call \"os.system\", which was not executed.\n");
  CHECK(problems_of(reading) == "This file contains no tensors.\n");
}

TEST_CASE("a call of torch that calls itself ends", "[inputs][torch]") {
  for (const std::string module : {"torch._tensor", "torch._utils"}) {
    const std::string call = "c" + module + "\n_rebuild_from_type_v2\n";
    const Json reading = pickled(call + std::string("q\0]q\1(h\0K\0h\1eR.", 15));
    CAPTURE(module, reading.dump());
    CHECK(problems_of(reading) ==
          "\"tensor\" is a sparse or nested tensor or a tensor subclass, and is not counted.\nThis file contains no tensors.\n");
  }
}

// The opcodes are those of CPython's Lib/pickletools.py.
TEST_CASE("numbers, strings, calls and memos of all protocols are read", "[inputs][torch]") {
  using namespace std::string_literals;
  const std::string rebuild = "torch._utils\n_rebuild_meta_tensor_no_storage\n", type = "ctorch\nfloat32\n", dims = "(K\x08t";
  const auto tensor = [&](const std::string& number) { return "c" + rebuild + "(" + type + "(" + number + "ttR"; };
  const std::string plain = tensor("K\x08");
  const auto read_as = [&](const std::string& ops, const std::string& shape) {
    CAPTURE(ops);
    const Json reading = pickled(ops);
    REQUIRE(reading.at("ok") == true);
    CHECK(single(reading) == "weight F32 [" + shape + "]\n");
  };
  const auto value = [&](const std::string& made, const std::string& shape = "8") { read_as("}" + worded("weight") + made + "s.", shape); };
  const auto key = [&](const std::string& written) { read_as("}" + written + plain + "s.", "8"); };
  for (const std::string& number : {"I8\n"s, "L8L\n"s, "L8\n"s, "K\x08"s, "M\x08\0"s, "J\x08\0\0\0"s, "\x8a\x01\x08"s, "\x8a\x02\x08\0"s,
                                    "\x8a\x08\x08\0\0\0\0\0\0\0"s, "\x8b\x01\0\0\0\x08"s})
    value(tensor(number));
  value(tensor("M\x01\x02"), "513");
  value(tensor("J\x01\0\x01\0"s), "65537");
  value(tensor("\x88"), "1");
  value(tensor("\x89"), "0");
  value(tensor("\x8a\0"s), "0");
  for (const std::string& text :
       {"S'weight'\n"s, "S\"weight\"\n"s, "Vweight\n"s, "U\x06weight"s, "\x8c\x06weight"s, "C\x06weight"s, "T\x06\0\0\0weight"s,
        "X\x06\0\0\0weight"s, "B\x06\0\0\0weight"s, "\x8d\x06\0\0\0\0\0\0\0weight"s, "\x8e\x06\0\0\0\0\0\0\0weight"s})
    key(text);
  // Calls: of a function, of a class, with keywords, and with the arguments on the stack.
  value("c" + rebuild + "(" + type + dims + "t\x81");
  value("c" + rebuild + "(" + type + dims + "t}\x92");
  value("(c" + rebuild + type + dims + "o");
  value("(" + type + dims + "i" + rebuild);
  value(worded("torch._utils") + worded("_rebuild_meta_tensor_no_storage") + "\x93(" + type + dims + "tR");
  // Tuples of two values, a value twice on the stack, and values that are dropped.
  value("c" + rebuild + type + "K\x08\x85\x86R");
  value("c" + rebuild + type + "K\x08" + "20\x85\x86R");
  value("(K\x01K\x02"s + "1" + plain);
  value("K\x01"s + "0" + plain);
  value("(0" + plain);  // the mark
  value("G\0\0\0\0\0\0\0\0"s + "0" + plain);
  // Memos by a number in a line, in one byte, in four bytes, and in order.
  value(plain + "p3\n0g3\n");
  value(plain + "q\x03" + "0h\x03");
  value(plain + "r\x03\0\0\0"s + "0j\x03\0\0\0"s);
  value(plain + "\x94" + "0h\0"s);
  // Dicts: from a mark, and with several items at once.
  read_as("(" + worded("weight") + plain + "d.", "8");
  read_as("}(" + worded("weight") + plain + "u.", "8");
}

TEST_CASE("a pickle that is cut or broken is refused with the reason", "[inputs][torch]") {
  using namespace std::string_literals;
  const auto refusal = [](const std::string& ops) { return pickled(ops).at("error").at("message").get<std::string>(); };
  CHECK(refusal("\x01.") == "The pickle has the opcode 1, which is not supported.");
  CHECK(refusal("Ix\n.") == "The pickle has a number that cannot be read.");
  CHECK(refusal("L12x\n.") == "The pickle has a number that cannot be read.");
  CHECK(refusal("]g12x\n.") == "The pickle has a number that cannot be read.");
  CHECK(refusal("I" + std::string(10'001, '1') + "\n.") == "The pickle has an unterminated line.");
  for (const std::string& broken :
       {"0."s, "1."s, "2."s, "a."s, "]a."s, "s."s, "}Ns."s, "(o."s, "b."s, "Nb."s, "h\0."s, "q\0."s, "(."s, "\x86."s}) {
    CAPTURE(broken);
    CHECK(refusal(broken) == "The pickle is broken: it refers to values that it does not contain.");
  }
  // A number with more than 64 bits is not an error.
  for (const std::string& long_number : {"I" + std::string(30, '1') + "\n.", "\x8a\x09" + std::string(9, '1') + "."})
    CHECK(problems_of(pickled(long_number)) == "This file contains no tensors.\n");
}

TEST_CASE("a dict may be made from a list of pairs", "[inputs][torch]") {
  // A tensor of 8 elements in 32 bits.
  const std::string weights = "ctorch._utils\n_rebuild_meta_tensor_no_storage\n(ctorch\nfloat32\n(K\x08ttR";
  const auto made_by = [&](const std::string& function) {
    return pickled("c" + function + "\n(((" + worded("weight") + weights + "tltR.");
  };
  for (const std::string function : {"collections\nOrderedDict", "collections\ndefaultdict", "builtins\ndict", "__builtin__\ndict"}) {
    CAPTURE(function);
    const Json reading = made_by(function);
    REQUIRE(reading.at("ok") == true);
    CHECK(reading.at("partial") == false);
    CHECK(single(reading) == "weight F32 [8]\n");
    CHECK(notes_of(reading).empty());
  }
  CHECK(notes_of(made_by("other\ndict")) == "The file would call \"other.dict\", which was not executed.\n");
}

TEST_CASE("the state of NumPy's random number generator is not counted under any key", "[inputs][torch]") {
  const std::string weights = "ctorch._utils\n_rebuild_meta_tensor_no_storage\n(ctorch\nfloat32\n(K\x08ttR";
  const std::string array =
      "cnumpy\n_frombuffer\n(" + worded("") + "cnumpy\ndtype\n" + worded("u4") + "\x85R(M\x70\x02ttR";  // of 624 numbers
  const auto with = [&](const std::string& generator) {
    return pickled("}" + worded("weight") + weights + "s" + worded("numpy") + "(" + worded(generator) + array + "ts.");
  };
  const Json state = with("MT19937");
  CHECK(total(state) == "8");
  CHECK(notes_of(state) == "Not counted: The states of random number generators, 1 tensor of 624 elements in 2,496 bytes.\n");
  CHECK(total(with("other")) == "632");
}

TEST_CASE("contradictory pickles are refused quickly", "[inputs][torch]") {
  CHECK(pickled("R.").at("error").at("code") == "malformed_json");
  CHECK(pickled("e.").at("error").at("code") == "malformed_json");
  CHECK(pickled(std::string("h\x07.")).at("error").at("code") == "malformed_json");
  CHECK(pickled(std::string("r\xff\xff\xff\xff.", 6)).at("error").at("code") == "malformed_json");
  CHECK(pickled(std::string("]r\xff\xff\xff\xff.", 7)).at("error").at("code") == "malformed_json");
  CHECK(pickled(std::string("X\xff\xff\xff\xff", 5)).at("error").at("message").get<std::string>().find("a string of 4,294,967,295 bytes") !=
        std::string::npos);
  CHECK(pickled("\x97.").at("error").at("code") == "malformed_json");
  // A list that contains itself, and nested lists that contain the previous list ten times each. The latter have 10^50 paths.
  CHECK(problems_of(pickled(std::string("]q\0h\0a.", 7))) == "This file contains no tensors.\n");
  std::string tower = std::string(
      "]q\0"
      "0",
      4);
  for (int level = 1; level <= 50; ++level) {
    tower += "](";
    for (int i = 0; i < 10; ++i) tower += std::string{'h', static_cast<char>(level - 1)};
    tower += std::string{'e', 'q', static_cast<char>(level), '0'};
  }
  tower += "h\x32";
  CHECK(problems_of(pickled(tower + ".")) == "This file contains no tensors.\n");
  // A shared value that contains no tensors is visited only once.
  CHECK(problems_of(pickled(tower.substr(0, tower.size() - 2) + "}" + worded("model") + "h\x32s.")) == "This file contains no tensors.\n");
  // A tuple of a million items that is taken from the pickle's memo a hundred times.
  std::string wide = "(";
  wide.append(1'000'000, 'N');
  wide += std::string(
      "tq\x01"
      "cm\nf\nq\x02"
      "0",
      12);
  for (int i = 0; i < 100; ++i) wide += "h\x02h\x01R0";
  CHECK(pickled(wide + "N.").at("error").at("code") == "malformed_json");
}

TEST_CASE("contradictory archives are refused", "[inputs][torch]") {
  std::string whole;
  for (const Json& one : torch_cases())
    if (one.at("id") == "a state dict") whole = from_base64(one.at("file").get<std::string>());
  REQUIRE(whole.size() > 1000);
  // A file that is cut must be refused, or the cut must be reported.
  for (std::size_t size = 4; size < whole.size(); size += 997) {
    const Json reading = reading_of({{"a.bin", whole.substr(0, size), {}}});
    CHECK((reading.at("ok") == false || reading.at("partial") == true));
  }
  // All entries are marked as compressed.
  std::string deflated = whole;
  for (std::size_t at = deflated.find("PK\x01\x02"); at != std::string::npos; at = deflated.find("PK\x01\x02", at + 1))
    deflated[at + 10] = 8;
  CHECK(reading_of({{"a.bin", deflated, {}}}).at("error").at("message").get<std::string>().find("compressed") != std::string::npos);
  // A 64-bit directory (ZIP64), whose offsets and sizes are in a separate record before the end record.
  const auto written = [](std::uint64_t number, int size) {
    std::string out;
    for (int i = 0; i < size; ++i) out += static_cast<char>(number >> (8 * i) & 0xff);
    return out;
  };
  const auto number = [](const std::string& text, std::size_t at, int size) {
    std::uint64_t out = 0;
    for (int i = 0; i < size; ++i) out |= std::uint64_t{static_cast<unsigned char>(text[at + static_cast<std::size_t>(i)])} << (8 * i);
    return out;
  };
  const std::size_t end = whole.rfind("PK\x05\x06");
  std::string far = whole.substr(0, end);
  const std::size_t record = far.size();
  far += "PK\x06\x06" + written(44, 8) + written(45, 2) + written(45, 2) + written(0, 8);
  far += written(number(whole, end + 10, 2), 8) + written(number(whole, end + 10, 2), 8) + written(number(whole, end + 12, 4), 8) +
         written(number(whole, end + 16, 4), 8);
  far += "PK\x06\x07" + written(0, 4) + written(record, 8) + written(1, 4);
  far += "PK\x05\x06" + std::string(4, '\0') + std::string(12, '\xff') + std::string(2, '\0');
  CHECK(reading_of({{"a.bin", far, {}}}).at("tensors") == reading_of({{"a.bin", whole, {}}}).at("tensors"));
  // Each change of the directory has its own message.
  const auto changed = [&](std::size_t at, std::uint64_t value, int size) {
    std::string out = whole;
    out.replace(at, static_cast<std::size_t>(size), written(value, size));
    const Json reading = reading_of({{"a.bin", out, {}}});
    return reading.at("ok") == true ? problems_of(reading) : reading.at("error").at("message").get<std::string>();
  };
  const std::size_t entry = whole.find("PK\x01\x02"), second = whole.find("PK\x01\x02", entry + 1);
  CHECK(changed(end + 10, 65'534, 2).starts_with("The archive's directory would list 65,534 files in "));
  CHECK(changed(end + 12, 4'294'967'294, 4) == "The archive's directory would have 4,294,967,294 bytes.");
  CHECK(changed(entry, 0, 1) == "The archive's directory is broken.");
  CHECK(changed(entry + 46, 0xff, 1) == "The name of a file in the archive is not UTF-8.");
  CHECK(changed(second + 42, 1, 4).find(" overlaps the file before it in the archive.") != std::string::npos);
  CHECK(changed(second + 20, whole.size() + 1, 4).find(" extends past the end of the archive.") != std::string::npos);
  CHECK(changed(end, 0, 4) == "The archive's directory is missing: the file is incomplete or not an archive.");
  // If only the beginning of a longer file is given, the rest is requested.
  const Json head = reading_of({{"a.bin", whole.substr(0, 100), whole.size()}});
  CHECK(head.at("error").at("message").get<std::string>().find("needed") != std::string::npos);
}

}  // namespace param_ledger::test
