#pragma once

#include <string>
#include <string_view>

namespace param_ledger {

/// Answers what the bytes of a request hold, as JSON text; throws Error. The request is a line of JSON that says what follows it,
///   {"files": [{"name": "model.safetensors", "bytes": 1234, "size": 4976698672}, …], "config": 567}
/// then the bytes of each file (of a safetensors file its begin, with the header; `size` is the length of all), then those of a
/// configuration to check against, where there is one. What is pasted is a file without a name.
/// Of a large file pieces are enough: `bytes` is its begin, and "further": [[at, length], …] says which pieces follow that.
std::string read_answer(std::string_view request);

/// Which bytes of the files of such a request are to be read before `read_answer` has all of their heads:
///   {"ok": true, "wants": [{"file": 0, "begin": 0, "end": 65536}, …]}
/// None where all is there. To begin with a file has its `size` alone.
std::string wants_answer(std::string_view request);

}  // namespace param_ledger
