// A notebook's file, run without a front end: `glint kernel execute`.
//
//     {"cell_type": "code", "source": ["1 + 1"], "outputs": []}
//     ->  "outputs": [{"output_type": "execute_result", "data": {"text/plain": ["2"]}, ...}]
//
// The cells run from a clean start, in order, until one raises; nbconvert's tags are heeded:
// `raises-exception` lets a cell raise, `skip-execution` leaves it as it is. The file is written as
// Jupyter writes it (nbformat 4: texts as lists of lines), so that a version control sees only what
// has changed.
#include <algorithm>
#include <charconv>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "notebook/host.h"
#include "notebook/jupyter/forms.h"

namespace glint::notebook {
namespace {

using OrderedJson = nlohmann::ordered_json;

/// Of `\ud83d`, in characters.
constexpr size_t kEscape = 6;

/// A text as the file has it: its lines, each with its newline.
OrderedJson lines_of(std::string_view text) {
  OrderedJson lines = OrderedJson::array();
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

std::string text_of(const OrderedJson& lines) {
  if (!lines.is_array()) return lines.get<std::string>();
  std::string text;
  for (const OrderedJson& line : lines) text += line.get<std::string>();
  return text;
}

OrderedJson data_in_lines(const Forms& forms) {
  return json_of<OrderedJson>(forms, lines_of);
}

/// By name, the outputs that are changed with it: a cell, and the output's place there.
using NamedOutputs = std::map<std::string, std::vector<std::pair<OrderedJson*, size_t>>>;

/// What one cell gives, as its `outputs`.
class CellOutputs final : public Client {
 public:
  CellOutputs(OrderedJson& cell, uint32_t number, NamedOutputs& named)
      : cell_(cell), number_(number), named_(named) {}

  void write(bool is_error, const std::string& text) override {
    clear_if_due();
    if (is_error != is_error_) end_stream();
    is_error_ = is_error;
    stream_ += text;
  }
  void show(const Forms& forms, const ShownAs& as) override {
    if (!as.updates) {
      add({{"data", data_in_lines(forms)},
           {"metadata", OrderedJson::object()},
           {"output_type", "display_data"}});
      if (!as.id.empty()) named_[as.id].emplace_back(&cell_, outputs().size() - 1);
    }
    // What is shown under a name that is in use changes what was shown before, too.
    if (const auto found = named_.find(as.id); found != named_.end())
      for (const auto& [cell, place] : found->second)
        (*cell)["outputs"][place]["data"] = data_in_lines(forms);
  }
  void show_result(const Forms& forms) override {
    add({{"data", data_in_lines(forms)},
         {"execution_count", number_},
         {"metadata", OrderedJson::object()},
         {"output_type", "execute_result"}});
  }
  void clear(bool waits) override {
    clear_is_due_ = true;
    if (!waits) clear_if_due();
  }
  /// Nobody is there to type.
  std::optional<std::string> read_line(const std::string&) override { return std::nullopt; }

  void raised(const Raised& raised) {
    add({{"ename", raised.type},
         {"evalue", raised.text},
         {"output_type", "error"},
         {"traceback", raised.traceback}});
  }
  /// What was written in one go is one output.
  void end_stream() {
    if (!stream_.empty())
      outputs().push_back({{"name", is_error_ ? "stderr" : "stdout"},
                           {"output_type", "stream"},
                           {"text", lines_of(stream_)}});
    stream_.clear();
  }

 private:
  OrderedJson& outputs() { return cell_["outputs"]; }
  void add(OrderedJson output) {
    clear_if_due();
    end_stream();
    outputs().push_back(std::move(output));
  }
  void clear_if_due() {
    if (!std::exchange(clear_is_due_, false)) return;
    stream_.clear();
    outputs() = OrderedJson::array();
    for (auto& [id, places] : named_)
      std::erase_if(places, [this](const auto& place) { return place.first == &cell_; });
  }

  OrderedJson& cell_;
  uint32_t number_;
  NamedOutputs& named_;
  std::string stream_;
  bool is_error_ = false;
  bool clear_is_due_ = false;
};

bool has_tag(const OrderedJson& cell, const char* tag) {
  if (!cell.contains("metadata") || !cell["metadata"].is_object()) return false;
  const OrderedJson tags = cell["metadata"].value("tags", OrderedJson::array());
  return std::find(tags.begin(), tags.end(), tag) != tags.end();
}

/// An `exit()` is no fault in the last cell, if all was well there.
std::optional<std::string> ended_by_exit(const ExecuteReply& reply, uint32_t number,
                                         std::span<const OrderedJson> behind) {
  const bool is_last = std::ranges::none_of(
      behind, [](const OrderedJson& cell) { return cell.at("cell_type") == "code"; });
  if (is_last && reply.exit_text.empty()) return std::nullopt;
  std::string fault = "cell " + std::to_string(number) + " called `exit(" + reply.exit_text + ")`";
  return is_last ? fault : fault + ": the cells behind it have not run";
}

/// What a cell raised that may not, in a line. Those behind it have not run.
std::optional<std::string> run_cells(Host& host, OrderedJson& cells) {
  uint32_t number = 0;
  NamedOutputs named;
  for (OrderedJson& cell : cells) {
    if (cell.at("cell_type") != "code" || has_tag(cell, "skip-execution")) continue;
    const std::string code = text_of(cell.at("source"));
    cell["execution_count"] = nullptr;
    cell["outputs"] = OrderedJson::array();
    if (code.find_first_not_of(" \t\n") == std::string::npos) continue;
    CellOutputs outputs(cell, ++number, named);
    const ExecuteReply reply = host.execute({.code = code, .number = number}, outputs);
    if (reply.raised) outputs.raised(*reply.raised);
    outputs.end_stream();
    cell["execution_count"] = number;
    if (reply.raised && !has_tag(cell, "raises-exception"))
      return "cell " + std::to_string(number) + " raised " + reply.raised->type + ": " +
             reply.raised->text;
    if (reply.exits) return ended_by_exit(reply, number, {&cell + 1, &cells.back() + 1});
  }
  return std::nullopt;
}

int complain(const std::string& message, int code) {
  std::cerr << "glint: " << message << '\n';
  return code;
}

/// What is nested deeper than any notebook is dropped.
bool is_shallow(int depth, OrderedJson::parse_event_t, OrderedJson&) {
  return depth < kDeepestJson;
}

/// The surrogate that an escape `\ud83d` at this place stands for; 0 where there is none.
uint32_t surrogate_at(std::string_view text, size_t place) {
  uint32_t point = 0;
  if (!text.substr(place).starts_with("\\u") || place + kEscape > text.size()) return 0;
  const char* end = text.data() + place + kEscape;
  if (std::from_chars(text.data() + place + 2, end, point, 16).ptr != end) return 0;
  return point >= 0xd800 && point < 0xe000 ? point : 0;
}

/// A file's text where each half of a surrogate pair that stands alone is U+FFFD, as it is when it
/// is written: Python's `json` writes and reads such halves, and this parser refuses them.
std::string without_halves(std::string text) {
  for (size_t i = 0; (i = text.find('\\', i)) != std::string::npos;) {
    const uint32_t first = surrogate_at(text, i);
    const uint32_t second = first == 0 ? 0 : surrogate_at(text, i + kEscape);
    const bool is_pair = first < 0xdc00 && second >= 0xdc00;
    if (first != 0 && !is_pair) text.replace(i + 2, 4, "fffd");
    i += first == 0 ? 2 : is_pair ? 2 * kEscape : kEscape;
  }
  return text;
}

std::string text_of_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

int execute(Host& host, const char* from, const char* to) {
  std::optional<std::string> fault;
  OrderedJson notebook;
  auto is_no_notebook = [&](const std::string& why) {
    return complain("`" + std::string(from) + "` is no notebook: " + why, 2);
  };
  try {
    notebook = OrderedJson::parse(without_halves(text_of_file(from)), is_shallow);
    if (notebook.at("nbformat") != 4)
      return complain("`" + std::string(from) + "` is a notebook of another format than 4", 2);
    if (!notebook.at("cells").is_array()) return is_no_notebook("its `cells` are no list");
    fault = run_cells(host, notebook.at("cells"));
  } catch (const OrderedJson::exception& wrong) {
    return is_no_notebook(wrong.what());
  }
  std::ofstream out(to, std::ios::binary);
  out << notebook.dump(1, ' ', false, OrderedJson::error_handler_t::replace) << '\n';
  out.close();
  if (!out) return complain("`" + std::string(to) + "` cannot be written", 2);
  return fault ? complain(*fault, 1) : 0;
}

}  // namespace
}  // namespace glint::notebook

extern "C" __attribute__((visibility("default"))) int glint_execute_notebook(
    glint::notebook::Host& host, const char* from, const char* to) {
  return glint::notebook::execute(host, from, to);
}
