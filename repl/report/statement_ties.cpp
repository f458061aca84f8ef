#include "repl/report/statement_ties.h"

#include <deque>
#include <string>

#include "repl/report/line_keys.h"
#include "repl/report/matching_lines.h"

namespace glint::report {
namespace {

/// What a statement does, for which node, in which kernel: `multiply_relu load %mul`. Empty for a
/// line that is none.
std::string kind_of(const std::string& text, const std::string& kernel) {
  const size_t number = text.find_first_not_of(' ');
  if (number == std::string::npos || text[number] < '0' || text[number] > '9') return {};
  size_t begin = text.find_first_not_of(' ', text.find(' ', number));
  const size_t equals = text.find(" = ");
  const size_t node = text.rfind(" %");
  // `a = load %x[i]   4:19 %mul`, but `store %y[i] = a`, `parallel i in 0..8 {`.
  if (equals != std::string::npos && text.find(' ', begin) == equals) begin = equals + 3;
  const std::string word = text.substr(begin, text.find(' ', begin) - begin);
  return kernel + " " + word + (node == std::string::npos ? "" : text.substr(node));
}

/// By kind, the lines that have no partner, in their order.
std::map<std::string, std::deque<uint32_t>> loose_lines(const std::vector<StageLine>& lines,
                                                        const std::vector<bool>& matched) {
  std::map<std::string, std::deque<uint32_t>> loose;
  std::string kernel;
  for (uint32_t i = 0; i < lines.size(); ++i) {
    const std::string& text = lines[i].text;
    if (text.starts_with("kernel ")) kernel = text.substr(0, text.find('('));
    if (matched[i]) continue;
    if (std::string kind = kind_of(text, kernel); !kind.empty()) loose[kind].push_back(i);
  }
  return loose;
}

std::vector<KeyId> last_statements(const Schedule& schedule, uint32_t region, Links& links) {
  std::vector<std::string> kernels;
  for (const Kernel& kernel : schedule.kernels) kernels.push_back(kernel.name);
  LineKeys keys(links, Stage::kKernels, region, kernels);
  std::vector<KeyId> statements;
  for (const StageLine& line : schedule_lines(schedule)) {
    const std::vector<KeyId> about = keys.keys_of(line);
    const bool is_one = about.size() == 1 && links.keys()[about[0]].kind == KeyKind::kStatement;
    statements.push_back(is_one ? about[0] : kNone);
  }
  return statements;
}

std::vector<KeyId> statements_before(const std::vector<StageLine>& before,
                                     const std::vector<StageLine>& after,
                                     const std::vector<KeyId>& statements) {
  const std::vector<uint32_t> partners = matching_lines(before, after);
  std::vector<KeyId> found(before.size(), kNone);
  std::vector<bool> matched(before.size()), met(after.size());
  for (uint32_t i = 0; i < before.size(); ++i) {
    matched[i] = partners[i] != kNone;
    if (!matched[i]) continue;
    met[partners[i]] = true;
    found[i] = statements[partners[i]];
  }
  auto loose_after = loose_lines(after, met);
  for (const auto& [kind, lines] : loose_lines(before, matched)) {
    std::deque<uint32_t>& others = loose_after[kind];
    for (uint32_t line : lines) {
      if (others.empty()) break;
      found[line] = statements[others.front()];
      others.pop_front();
    }
  }
  return found;
}

}  // namespace

StatementTies::StatementTies(const passes::PassLog& log, uint32_t region, Links& links) {
  std::vector<StageLine> after;
  const std::vector<KeyId>* statements = nullptr;
  for (auto i = static_cast<uint32_t>(log.passes.size()); i-- > 0;) {
    const passes::PassRecord& record = log.passes[i];
    if (!record.schedule) continue;
    std::vector<StageLine> lines = schedule_lines(*record.schedule);
    statements = &statements_
                      .emplace(i, statements ? statements_before(lines, after, *statements)
                                             : last_statements(*record.schedule, region, links))
                      .first->second;
    after = std::move(lines);
  }
}

KeyId StatementTies::of(uint32_t pass, uint32_t line) const {
  auto found = statements_.find(pass);
  return found == statements_.end() || line >= found->second.size() ? kNone : found->second[line];
}

}  // namespace glint::report
