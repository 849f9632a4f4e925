#include "core/claims/claim_readings.hpp"

#include <algorithm>

#include "tests/support/catch.hpp"

namespace param_ledger::test {

namespace {

/// The bounds of the reading with this name, as "low high"; empty if there is no such reading.
std::string range(std::string_view claim, std::string_view name) {
  for (const NumberReading& r : readings_of(read_quantity(claim, "claim")))
    if (r.name == name) return digits(r.low) + ' ' + digits(r.high);
  return "";
}

std::string names(Count parameters) {
  std::string out;
  for (const SizeName& name : size_names(parameters)) out += (out.empty() ? "" : ", ") + name.text;
  return out;
}

}  // namespace

TEST_CASE("a number may be rounded to the nearest, cut off, or rounded up", "[claim]") {
  CHECK(range("405B", "") == "404500000000 405500000000");
  CHECK(range("405B", "as cut off") == "405000000000 405999999999");
  // A number may have been rounded up by at most 5 %, and by less than one unit of its last digit. A parameter count may have been rounded
  // up only to one or two digits.
  CHECK(range("9B", "as rounded up") == "8571428572 9000000000");
  CHECK(range("0.5T", "as rounded up") == "476190476191 500000000000");
  CHECK(range("8.1B", "as rounded up") == "8000000001 8100000000");
  CHECK(range("405B", "as rounded up").empty());
  CHECK(range("1.23B", "as cut off") == "1230000000 1239999999");
  CHECK(range("1.235B", "as cut off").empty());
  CHECK(range("16.07 GB", "as rounded up") == "16060000001 16070000000");
  // 405,000,000,000 may stand for "405 billion" because it ends in zeros. An integer in full with fewer than three final zeros is exact.
  CHECK(range("405,000,000,000", "as cut off") == "405000000000 405999999999");
  CHECK(range("405,853,388,800", "as cut off").empty());
  CHECK(range("405,853,388,800", "") == "405853388800 405853388800");
}

TEST_CASE("trailing zeros may be rounded, to the nearest only", "[claim]") {
  CHECK(range("340M", "as a round number") == "335000000 345000000");
  CHECK(range("1000M", "as a round number") == "500000000 1500000000");
  CHECK(range("270M", "as a round number") == "265000000 275000000");
  CHECK(range("271M", "as a round number").empty());
  CHECK(range("7,000,000,000", "as a round number") == "6500000000 7500000000");
}

TEST_CASE("GB may mean powers of 1,024, and GiB always does", "[claim]") {
  CHECK(range("1 GB", "in powers of 1,024") == "536870912 1610612736");
  CHECK(range("1 GiB", "in powers of 1,024").empty());
  CHECK(range("1B", "in powers of 1,024").empty());
}

TEST_CASE("a model's name has few digits of its size", "[claim]") {
  CHECK(names(6'738'415'616) == "6.7 billion, 7 billion");
  CHECK(names(405'853'388'800) == "406 billion, 405 billion, 410 billion, 400 billion");
  CHECK(names(1'100'048'384) == "1.1 billion, 1 billion");
  CHECK(names(46'702'792'704) == "47 billion, 46 billion");
  CHECK(names(134'515'008) == "135 million, 134 million");
  CHECK(names(999).empty());
}

}  // namespace param_ledger::test
