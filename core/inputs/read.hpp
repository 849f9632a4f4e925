#pragma once

#include <string>
#include <string_view>

namespace param_ledger {

/// Answers, as JSON, what the files in a request contain. Throws Error. The request begins with a line of JSON that lists its contents:
///   {"files": [{"name": "model.safetensors", "bytes": 1234, "size": 4976698672}, …], "config": 567}
/// This line is followed by the bytes of all files and then, if there is one, by the configuration to compare with. For a safetensors file,
/// the bytes up to the end of the header are enough. `size` is the length of the whole file in bytes. Pasted text is a file without a name.
/// A large file may be given in pieces: `bytes` is the length of its beginning, and "further": [[offset, length], …] lists its other
/// pieces. For a printed model, "fields": {…} next to "files" gives the values of configuration fields that are already known.
std::string read_answer(std::string_view request);

/// Lists, as JSON, the next byte ranges, at most one per file, that a request must provide before `read_answer` can read its files:
///   {"ok": true, "wants": [{"file": 0, "begin": 0, "end": 65536}, …]}
/// The list is empty if nothing is missing. Otherwise, further ranges may be needed after these. A first request may contain no bytes of
/// the files, only their `size`.
std::string wants_answer(std::string_view request);

}  // namespace param_ledger
