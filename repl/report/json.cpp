#include "repl/report/json.h"

#include <fmt/format.h>

#include "repl/report/line_shapes.h"

namespace glint::report {
namespace {

/// How many bytes of a well-formed UTF-8 character stand here; 0 where they are none.
size_t character_at(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  const size_t count = first < 0x80   ? 1
                       : first < 0xc2 ? 0
                       : first < 0xe0 ? 2
                       : first < 0xf0 ? 3
                       : first < 0xf5 ? 4
                                      : 0;
  if (count == 0 || at + count > text.size()) return 0;
  for (size_t i = 1; i < count; ++i)
    if ((byte(at + i) & 0xc0U) != 0x80) return 0;
  if (first == 0xe0 && byte(at + 1) < 0xa0) return 0;
  if (first == 0xed && byte(at + 1) > 0x9f) return 0;
  if (first == 0xf0 && byte(at + 1) < 0x90) return 0;
  if (first == 0xf4 && byte(at + 1) > 0x8f) return 0;
  return count;
}

/// Writes values one behind the other; the commas follow from what stands before.
class Writer {
 public:
  Writer& open(char bracket) {
    separate();
    out_ += bracket;
    return *this;
  }
  Writer& close(char bracket) {
    out_ += bracket;
    return *this;
  }
  Writer& name(std::string_view text) {
    separate();
    out_ += json_string(text) + ":";
    return *this;
  }
  Writer& text(std::string_view value) {
    separate();
    out_ += json_string(value);
    return *this;
  }
  Writer& number(uint32_t value) {
    separate();
    out_ += value == kNone ? "-1" : std::to_string(value);
    return *this;
  }
  Writer& real(double value) {
    separate();
    out_ += fmt::format("{:.4f}", value);
    return *this;
  }
  Writer& flag(bool value) {
    separate();
    out_ += value ? "true" : "false";
    return *this;
  }
  Writer& numbers(const std::vector<KeyId>& values) {
    open('[');
    for (KeyId value : values) number(value);
    return close(']');
  }
  template <class T, class F>
  Writer& list(const std::vector<T>& items, F&& write) {
    open('[');
    for (const T& item : items) write(item);
    return close(']');
  }
  std::string take() { return std::move(out_); }

 private:
  void separate() {
    if (out_.empty()) return;
    const char last = out_.back();
    if (last != '[' && last != '{' && last != ':') out_ += ',';
  }

  std::string out_;
};

class DocumentWriter {
 public:
  std::string write(const Document& document) {
    json_.open('{').name("format").number(1);
    json_.name("title").text(document.title);
    json_.name("failure").open('{').name("text").text(document.failure.text);
    json_.name("about").numbers(document.failure_keys).close('}');
    json_.name("stages").list(stage_table(), [&](const StageInfo& stage) {
      json_.open('[').text(stage.name).text(stage.description).close(']');
    });
    json_.name("sources").list(document.sources, [&](const auto& source) { write(source); });
    json_.name("keys").list(document.keys, [&](const Key& key) { write(key); });
    json_.name("regions").list(document.regions, [&](const Region& region) { write(region); });
    json_.name("panels").list(document.panels, [&](const Panel& panel) { write(panel); });
    write_shapes();
    return json_.close('}').take();
  }

 private:
  void write(const SourceText& source) {
    json_.open('{').name("id").number(static_cast<uint32_t>(source.id));
    json_.name("name").text(source.name).name("library").flag(source.library);
    json_.name("lines").list(source.lines, [&](const std::string& line) { json_.text(line); });
    json_.name("shapes").numbers(shapes_.of_python(source.lines)).close('}');
  }

  void write(const Key& key) {
    json_.open('[').number(static_cast<uint32_t>(key.kind));
    if (key.kind != KeyKind::kSpan) {
      json_.text(key.name).number(key.region).numbers(key.from).close(']');
      return;
    }
    json_.number(static_cast<uint32_t>(key.span.source));
    json_.number(key.span.line).number(key.span.column);
    json_.number(key.span.end_line).number(key.span.end_column);
    json_.number(key.within).close(']');
  }

  void write(const Region& region) {
    json_.open('{').name("title").text(region.title).name("function").text(region.function);
    json_.name("place").text(region.place).name("entry").number(region.entry).close('}');
  }

  /// The colours that the shapes name, and the shapes that lines name.
  void write_shapes() {
    json_.name("colours").open('[');
    for (const render::ColourInfo& each : render::colour_table()) json_.text(each.html_class);
    json_.close(']');
    json_.name("shapes").list(shapes_.all(), [&](const auto& shape) { json_.numbers(shape); });
  }

  void write(const Line& line, Stage stage) {
    json_.open('[').text(line.text).numbers(line.about);
    json_.number(shapes_.of(line.text, render::language_of(stage)));
    if (line.mark != ' ') json_.text(std::string(1, line.mark));
    json_.close(']');
  }

  void write(const Panel& panel) {
    json_.open('{').name("stage").number(static_cast<uint32_t>(panel.stage));
    json_.name("title").text(panel.title).name("region").number(panel.region);
    json_.name("lines").list(panel.lines, [&](const Line& line) { write(line, panel.stage); });
    if (panel.stage == Stage::kPasses)
      json_.name("passes").list(panel.passes, [&](const PassChange& pass) { write(pass); });
    if (!panel.drawings.empty())
      json_.name("drawings").list(panel.drawings, [&](const Drawing& each) { write(each); });
    if (panel.stage == Stage::kMemory) {
      json_.name("memory");
      write(panel.memory);
    }
    json_.close('}');
  }

  void write(const PassChange& pass) {
    json_.open('{').name("name").text(pass.name).name("before").text(pass.before);
    json_.name("after").text(pass.after).name("changed").flag(pass.changed);
    json_.name("milliseconds").real(pass.milliseconds);
    json_.name("rules").list(pass.rules, [&](const std::string& rule) { json_.text(rule); });
    json_.name("lines").list(pass.lines, [&](const Line& line) { write(line, Stage::kPasses); });
    json_.close('}');
  }

  void write(const Drawing& drawing) {
    json_.open('{').name("title").text(drawing.title);
    json_.name("nodes").list(drawing.nodes, [&](const DrawnNode& node) {
      json_.open('[').number(node.key).text(node.name).text(node.target).text(node.type);
      json_.number(node.group).text(node.module).close(']');
    });
    json_.name("edges").list(drawing.edges, [&](const DrawnEdge& edge) {
      json_.open('[').number(edge.from).number(edge.to).text(edge.type).close(']');
    });
    json_.name("groups").list(drawing.groups, [&](const DrawnGroup& group) {
      json_.open('[').text(group.name).flag(group.library).close(']');
    });
    json_.close('}');
  }

  void write(const MemoryPlan& plan) {
    json_.open('{').name("steps").list(plan.steps, [&](const auto& step) { json_.text(step); });
    json_.name("slots").list(plan.slots, [&](const SlotRow& slot) {
      json_.open('{').name("bytes").text(slot.bytes).name("role").text(slot.role);
      json_.name("tenants").list(slot.tenants, [&](const SlotTenant& tenant) {
        json_.open('[').text(tenant.name).number(tenant.key).number(tenant.first);
        json_.number(tenant.last).flag(tenant.leaves).close(']');
      });
      json_.close('}');
    });
    json_.close('}');
  }

  Writer json_;
  LineShapes shapes_;
};

}  // namespace

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (size_t i = 0; i < text.size();) {
    const size_t count = character_at(text, i);
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::string_view character = text.substr(i, std::max<size_t>(count, 1));
    i += character.size();
    if (count == 0)
      out += "\\ufffd";
    else if (byte < 0x20 || byte == 0x7f || byte == '<' || byte == '>' || byte == '&')
      out += fmt::format("\\u{:04x}", byte);
    else if (byte == '"' || byte == '\\')
      out += fmt::format("\\{}", text[i - 1]);
    else if (character == "\u2028" || character == "\u2029")
      out += character == "\u2028" ? "\\u2028" : "\\u2029";
    else
      out += character;
  }
  return out + "\"";
}

std::string to_json(const Document& document) {
  return DocumentWriter().write(document);
}

}  // namespace glint::report
