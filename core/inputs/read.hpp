#pragma once

#include <string>
#include <string_view>

namespace param_ledger {

/// Answers what the bytes of a request contain, as JSON; throws Error. The request begins with a line of JSON that describes what follows
/// it:
///   {"files": [{"name": "model.safetensors", "bytes": 1234, "size": 4976698672}, …], "config": 567}
/// Then come the bytes of each file, and those of a configuration to compare with, if there is one. For a safetensors file the beginning
/// with the header is enough; `size` is the length of the whole file. Pasted text is a file without a name. A large file may be given in
/// pieces: `bytes` is the length of its beginning, and "further": [[at, length], …] lists the pieces that follow.
std::string read_answer(std::string_view request);

/// The byte ranges that must still be read from the files of such a request before `read_answer` has all headers:
///   {"ok": true, "wants": [{"file": 0, "begin": 0, "end": 65536}, …]}
/// Empty if nothing is missing. For a first call `size` is enough.
std::string wants_answer(std::string_view request);

}  // namespace param_ledger
