#include "ir/size_facts.h"

#include <algorithm>

#include <fmt/format.h>

namespace glint {

namespace {

/// What finding values costs at most, in relations that are looked at.
constexpr int64_t kMostTries = 200000;
constexpr int64_t kLargestGuess = 64;

/// Gives symbols values one after the other, and goes back where a relation does not hold.
class Search {
 public:
  Search(const SizeFacts& facts, size_t count) : facts_(facts), values_(count, 0) {
    decided_by_.resize(count);
    for (const Relation& relation : facts.relations) {
      std::vector<uint32_t> symbols = (relation.left - relation.right).symbols();
      for (SymInt side : {relation.left, relation.right}) {
        std::vector<uint32_t> more = side.symbols();
        symbols.insert(symbols.end(), more.begin(), more.end());
      }
      uint32_t last = symbols.empty() ? 0 : *std::ranges::max_element(symbols);
      if (last < count) decided_by_[last].push_back(&relation);
    }
  }

  std::optional<std::vector<int64_t>> run() {
    if (!choose(0)) return std::nullopt;
    return values_;
  }

 private:
  bool choose(size_t symbol) {
    if (symbol == values_.size()) return true;
    for (int64_t value : candidates(symbol)) {
      values_[symbol] = value;
      if (holds(symbol) && choose(symbol + 1)) return true;
      if (tries_ > kMostTries) break;
    }
    return false;
  }

  bool holds(size_t symbol) {
    return std::ranges::all_of(decided_by_[symbol], [&](const Relation* relation) {
      ++tries_;
      return relation->holds(values_);
    });
  }

  std::vector<int64_t> candidates(size_t symbol) {
    if (symbol < facts_.values.size() && facts_.values[symbol]) return {*facts_.values[symbol]};
    std::vector<int64_t> found, small;
    for (const Relation* relation : decided_by_[symbol])
      if (auto solved = solve(*relation, symbol)) (*solved >= 2 ? found : small).push_back(*solved);
    // Sizes that no relation ties to one another differ, so that none is taken for the other.
    auto first = static_cast<int64_t>(4 + 3 * symbol);
    found.push_back(first);
    for (int64_t value = 2; value <= kLargestGuess; ++value) found.push_back(value);
    found.insert(found.end(), {1, 0});  // no size that says much
    found.insert(found.end(), small.begin(), small.end());
    return found;
  }

  /// The symbol's value for which both sides are equal, where they are linear in it.
  std::optional<int64_t> solve(const Relation& relation, size_t symbol) {
    constexpr int64_t kProbe = 4;
    auto difference = [&](int64_t value) {
      values_[symbol] = value;
      return relation.left.evaluate(values_) - relation.right.evaluate(values_);
    };
    int64_t at = difference(kProbe), slope = difference(kProbe + 1) - at;
    if (slope == 0 || at % slope != 0) return std::nullopt;
    return kProbe - at / slope;
  }

  const SizeFacts& facts_;
  std::vector<int64_t> values_;
  /// The relations whose last symbol each is.
  std::vector<std::vector<const Relation*>> decided_by_;
  int64_t tries_ = 0;
};

}  // namespace

SizeFacts SizeFacts::of(const ShapeEnvironment& environment) {
  SizeFacts facts;
  facts.values.assign(environment.hints().begin(), environment.hints().end());
  facts.relations = environment.relations();
  return facts;
}

std::string SizeFacts::text() const {
  std::string text;
  for (size_t k = 0; k < values.size(); ++k)
    if (values[k]) text += fmt::format("{}s{} = {}", text.empty() ? "" : ", ", k, *values[k]);
  for (const Relation& relation : relations) text += (text.empty() ? "" : ", ") + relation.text();
  return text;
}

std::optional<std::vector<int64_t>> SizeFacts::find_values(size_t count) const {
  count = std::max(count, values.size());
  for (const Relation& relation : relations) {
    for (SymInt side : {relation.left, relation.right}) {
      std::vector<uint32_t> symbols = side.symbols();
      if (!symbols.empty()) count = std::max<size_t>(count, symbols.back() + 1);
    }
  }
  return Search(*this, count).run();
}

ShapeEnvironment SizeFacts::environment() const {
  constexpr int64_t kLeastSize = 2;
  ShapeEnvironment environment;
  for (int64_t value : find_values().value_or(std::vector<int64_t>()))
    environment.new_symbol(value, std::min(value, kLeastSize));
  for (const Relation& relation : relations) environment.add_relation(relation);
  return environment;
}

SizeFacts parse_size_facts(TextCursor& in) {
  SizeFacts facts;
  if (!in.accept("where")) return facts;
  using Kind = Relation::Kind;
  constexpr std::pair<std::string_view, Kind> kSigns[] = {
      {"==", Kind::kEqual}, {"!=", Kind::kNotEqual}, {"<=", Kind::kLessEqual}, {"<", Kind::kLess}};
  do {
    SymInt left = parse_symint(in);
    auto sign =
        std::ranges::find_if(kSigns, [&](const auto& each) { return in.accept(each.first); });
    if (sign != std::end(kSigns)) {
      facts.relations.push_back({sign->second, left, parse_symint(in)});
      continue;
    }
    std::optional<uint32_t> symbol = left.maybe_symbol();
    if (!symbol || !in.expect("=")) {
      in.fail("expected `s0 = 4`, or `==`, `!=`, `<`, `<=` between two sizes");
      break;
    }
    SymInt value = parse_symint(in);
    if (!value.is_constant()) in.fail("a symbol's value is a plain integer");
    if (!in.ok()) break;
    facts.values.resize(std::max<size_t>(facts.values.size(), *symbol + 1));
    facts.values[*symbol] = value.constant();
  } while (in.accept(","));
  in.expect_line_end();
  return facts;
}

std::optional<Error> verify_size_facts(const SizeFacts& facts) {
  if (facts.find_values()) return std::nullopt;
  return Error{fmt::format("no sizes fulfil `where {}`", facts.text())};
}

}  // namespace glint
