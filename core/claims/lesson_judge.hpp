#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/claims/arithmetic.hpp"
#include "core/claims/row_switches.hpp"
#include "core/model/model.hpp"

namespace param_ledger {

/// A number that a screen asks for.
struct NumberQuestion {
  struct Wrong {
    Count value;
    std::string says;
  };

  const Arithmetic& expression;
  Count right;
  const std::vector<Binding>& names;
  const Model& model;
  Json config;
  Subset subset = {};             ///< the tensors that the question is about; if it has no names, the question is not about tensors
  std::vector<Wrong> wrong = {};  ///< likely wrong answers and what each means
};

/// The judgement of an answer. `verdict`: right, convention, wrong, unit or unreadable.
struct Judgement {
  std::string_view verdict;
  std::string sentence = {};
};

/// Judges a number as learners write it: `16,777,216`, `16.8M`, `2^24`, `4096*4096`, `4096 x 4096`, `d*d`. The judgement of a wrong answer
/// gives the first of these diagnoses that fits: a likely error that the lesson lists, a convention over the tensors, the size of other
/// tensors, a missing or extra field as a factor, a wrong unit, a slip in the arithmetic. If none fits, it says how far off the answer is.
Judgement judge_number(std::string_view answer, const NumberQuestion& question);

/// The whole number that a learner's answer stands for. Throws Error naming `answer` if there is none.
Count whole_number(std::string_view answer, const std::vector<Binding>& names);

}  // namespace param_ledger
