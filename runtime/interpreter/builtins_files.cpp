// `open` and text files; also the objects behind sys.stdout and sys.stderr.
#include "runtime/interpreter/builtins_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "runtime/interpreter/builtins_encodings.h"
#include "runtime/interpreter/builtins_utf8.h"
#include "runtime/interpreter/os_errors.h"

namespace glint::runtime {
namespace {

FileObject& self_of(NativeCall& call) {
  return *static_cast<FileObject*>(call[0].object());
}

bool is_open(NativeCall& call) {
  if (!self_of(call).closed) return true;
  call.raise("ValueError", "I/O operation on closed file.");
  return false;
}

/// What was read, as the file gives it; undefined if it raised.
Value text_or_bytes(Interpreter& in, FileObject& file, std::string data) {
  if (file.binary) return Value(make_ref<BytesObject>(std::move(data)));
  return decode_bytes(in, data, file.encoding, file.errors);
}

/// Takes the next byte if it is that one.
bool takes(std::FILE* stream, char wanted) {
  const int c = std::fgetc(stream);
  if (c == static_cast<unsigned char>(wanted)) return true;
  if (c != EOF) std::ungetc(c, stream);
  return false;
}

/// A line with its end; empty at the end of the file.
std::string read_line(FileObject& file) {
  if (!file.stream) return Interpreter::current().output().read_line();
  std::string line;
  const bool any_end = !file.binary && file.any_line_end;
  const std::string_view end = file.binary ? std::string_view("\n") : file.line_end;
  for (int c = 0; (c = std::fgetc(file.stream)) != EOF;) {
    line += static_cast<char>(c);
    if (any_end && c == '\r') {
      if (takes(file.stream, '\n')) line += '\n';
      if (file.translates) line.replace(line.rfind('\r'), std::string::npos, "\n");
      break;
    }
    if (any_end ? c == '\n' : line.ends_with(end)) break;
  }
  return line;
}

/// All that is left.
std::string read_rest(FileObject& file) {
  std::string data;
  if (!file.stream) {
    for (std::string line; !(line = read_line(file)).empty();) data += line;
    return data;
  }
  constexpr size_t kBlock = 65536;
  for (size_t got = kBlock; got == kBlock;) {
    const size_t before = data.size();
    data.resize(before + kBlock);
    got = std::fread(data.data() + before, 1, kBlock, file.stream);
    data.resize(before + got);
  }
  return data;
}

/// All that is left, as the file gives it: bytes, or a text whose lines end with \n.
Value rest_of(Interpreter& in, FileObject& file) {
  Value rest = text_or_bytes(in, file, read_rest(file));
  if (!is_str(rest) || !file.translates || view_of(rest).find('\r') == std::string::npos)
    return rest;
  const std::string_view given = view_of(rest);
  std::string text;
  for (size_t at = 0; at < given.size(); ++at) {
    text += given[at] == '\r' ? '\n' : given[at];
    if (given.substr(at, 2) == "\r\n") ++at;
  }
  return str_value(std::move(text));
}

/// So many bytes, or characters of a text.
std::string read_some(FileObject& file, int64_t count) {
  std::string data;
  const bool wide = !file.binary && file.encoding == "utf-8";
  for (int c = 0; count > 0 && (c = std::fgetc(file.stream)) != EOF; --count) {
    const bool ends_line = c == '\r' && !file.binary && file.translates;
    if (ends_line) takes(file.stream, '\n');
    data += ends_line ? '\n' : static_cast<char>(c);
    size_t more = wide && c >= 0xc0 ? code_point_size(static_cast<char>(c)) - 1 : 0;
    for (; more > 0 && (c = std::fgetc(file.stream)) != EOF; --more) data += static_cast<char>(c);
  }
  return data;
}

struct LineIterator final : IteratorObject {
  Ref<FileObject> file;
  explicit LineIterator(Ref<FileObject> of) : file(std::move(of)) {}
  Value next(Interpreter& in) override {
    if (!file || file->closed) return Value();
    std::string line = read_line(*file);
    if (in.raise_interrupt()) return Value();
    return line.empty() ? Value() : text_or_bytes(in, *file, std::move(line));
  }
  std::string_view type_name() const override { return "file_iterator"; }
  void traverse(Visitor& visit) override { visit(file); }
  void clear() override { file = nullptr; }
};

Value file_read(NativeCall& call) {
  if (!is_open(call)) return Value();
  int64_t limit = -1;
  if (!call[1].is_none() && !int_argument(call, 1, limit)) return Value();
  FileObject& file = self_of(call);
  if (limit < 0 || !file.stream) return rest_of(call.interpreter, file);
  return text_or_bytes(call.interpreter, file, read_some(file, limit));
}

Value file_readline(NativeCall& call) {
  if (!is_open(call)) return Value();
  return text_or_bytes(call.interpreter, self_of(call), read_line(self_of(call)));
}

Value file_readlines(NativeCall& call) {
  if (!is_open(call)) return Value();
  std::vector<Value> lines;
  for (std::string line; !(line = read_line(self_of(call))).empty();) {
    lines.push_back(text_or_bytes(call.interpreter, self_of(call), std::move(line)));
    if (lines.back().is_undefined()) return Value();
  }
  return Value(make_list(std::move(lines)));
}

/// A text as the file's bytes; false if it raised.
bool bytes_of_text(Interpreter& in, const FileObject& file, std::string_view text,
                   std::string& out) {
  for (const char c : text) c == '\n' ? out += file.line_end : out += c;
  const Value made = encode_text(in, out, file.encoding, file.errors);
  if (made.is_undefined()) return false;
  out = made.as<BytesObject>()->data;
  return true;
}

bool write(NativeCall& call, const Value& value, int64_t& count) {
  FileObject& file = self_of(call);
  std::string_view data;
  std::string bytes;
  if (file.binary && value.is<BytesObject>()) {
    data = value.as<BytesObject>()->data;
    count = static_cast<int64_t>(data.size());
  } else if (!file.binary && is_str(value)) {
    data = view_of(value);
    count = value.as<StrObject>()->length;
  } else {
    call.raise("TypeError",
               file.binary
                   ? fmt::format("a bytes-like object is required, not '{}'", type_name(value))
                   : fmt::format("write() argument must be str, not {}", type_name(value)));
    return false;
  }
  bool escapes = file.descriptor == 2;
  const bool plain = file.encoding == "utf-8" && file.errors == "strict" && file.line_end == "\n";
  if (!file.binary && !plain) {
    if (!bytes_of_text(call.interpreter, file, data, bytes)) return false;
    data = bytes;
  } else if (!escapes && !file.binary && !check_encodable(call.interpreter, data)) {
    return false;
  }
  if (file.descriptor == 1)
    return written(call.interpreter, call.interpreter.output().write_out(data));
  if (escapes)
    return written(call.interpreter,
                   call.interpreter.output().write_error(with_escapes(call.interpreter, data)));
  if (std::fwrite(data.data(), 1, data.size(), file.stream) != data.size())
    return written(call.interpreter, errno);
  return true;
}

Value file_write(NativeCall& call) {
  int64_t count = 0;
  if (!is_open(call) || !write(call, call[1], count)) return Value();
  return int_value(count);
}
Value file_writelines(NativeCall& call) {
  std::vector<Value> lines;
  int64_t count = 0;
  if (!is_open(call) || !collect(call.interpreter, call[1], lines)) return Value();
  for (const Value& line : lines)
    if (!write(call, line, count)) return Value();
  return Value::none();
}
Value file_flush(NativeCall& call) {
  FileObject& file = self_of(call);
  int code = 0;
  if (!file.stream)
    code = call.interpreter.output().flush();
  else if (std::fflush(file.stream) != 0)
    code = errno;
  return written(call.interpreter, code) ? Value::none() : Value();
}
Value file_close(NativeCall& call) {
  self_of(call).close();
  return Value::none();
}
Value file_enter(NativeCall& call) {
  return is_open(call) ? call[0] : Value();
}
Value file_exit(NativeCall& call) {
  self_of(call).close();
  return Value::none();
}
Value file_iter(NativeCall& call) {
  if (!is_open(call)) return Value();
  return Value(make_ref<LineIterator>(Ref<FileObject>(&self_of(call))));
}
Value file_next(NativeCall& call) {
  if (!is_open(call)) return Value();
  std::string line = read_line(self_of(call));
  if (call.interpreter.raise_interrupt()) return Value();
  if (line.empty())
    return call.interpreter.raise(call.interpreter.classes().exceptions["StopIteration"], {});
  return text_or_bytes(call.interpreter, self_of(call), std::move(line));
}
Value file_seek(NativeCall& call) {
  int64_t offset = 0, whence = 0;
  if (!is_open(call) || !int_argument(call, 1, offset) || !int_argument(call, 2, whence))
    return Value();
  std::fseek(self_of(call).stream, static_cast<long>(offset), static_cast<int>(whence));
  return int_value(std::ftell(self_of(call).stream));
}
Value file_tell(NativeCall& call) {
  return is_open(call) ? int_value(std::ftell(self_of(call).stream)) : Value();
}
Value file_encoding(NativeCall& call) {
  return str_value(self_of(call).encoding_name);
}
Value file_isatty(NativeCall& call) {
  const int descriptor = self_of(call).descriptor;
  return Value(descriptor >= 0 && ::isatty(descriptor) != 0);
}
Value file_fileno(NativeCall& call) {
  return int_value(self_of(call).descriptor);
}
Value file_closed(NativeCall& call) {
  return Value(self_of(call).closed);
}
Value file_name(NativeCall& call) {
  return str_value(self_of(call).name);
}
Value file_mode(NativeCall& call) {
  return str_value(self_of(call).mode);
}

/// `newline=`; false if it raised.
bool take_newline(NativeCall& call, FileObject& file) {
  if (!given_not_none(call[5])) return true;
  std::string_view newline;
  if (!text_argument(call, 5, newline)) return false;
  constexpr std::string_view kEnds[] = {"", "\n", "\r", "\r\n"};
  if (std::ranges::find(kEnds, newline) == std::end(kEnds)) {
    call.raise("ValueError", fmt::format("illegal newline value: {}", newline));
    return false;
  }
  file.any_line_end = newline.empty();
  file.translates = false;
  if (!newline.empty()) file.line_end = newline;
  return true;
}

/// `encoding=`, `errors=` and `newline=`; `marked`: the text begins with a mark of its encoding.
/// False if it raised.
bool take_text_arguments(NativeCall& call, FileObject& file, bool& marked) {
  constexpr std::string_view kNames[] = {"an encoding", "an errors", "a newline"};
  for (size_t i = 0; file.binary && i < std::size(kNames); ++i)
    if (given_not_none(call[i + 3])) {
      call.raise("ValueError", fmt::format("binary mode doesn't take {} argument", kNames[i]));
      return false;
    }
  if (file.binary) return true;
  std::string_view encoding = "UTF-8", errors = file.errors;
  if (given_not_none(call[3]) && !text_argument(call, 3, encoding)) return false;
  if (given_not_none(call[4]) && !text_argument(call, 4, errors)) return false;
  file.encoding_name = encoding;
  file.errors = errors;
  marked = encoding == "utf-8-sig" || encoding == "utf_8_sig";
  file.encoding = marked ? "utf-8" : usual_encoding_name(call.interpreter, encoding);
  return !file.encoding.empty() && take_newline(call, file);
}

constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";

/// Passes over the mark of a text that has one, or begins an empty one with it.
void pass_mark(FileObject& file) {
  if (file.mode.find('r') == std::string::npos) {
    std::fseek(file.stream, 0, SEEK_END);
    if (std::ftell(file.stream) == 0)
      std::fwrite(kUtf8Mark.data(), 1, kUtf8Mark.size(), file.stream);
    return;
  }
  std::string begins(kUtf8Mark.size(), '\0');
  const size_t got = std::fread(begins.data(), 1, begins.size(), file.stream);
  if (got == begins.size() && begins == kUtf8Mark) return;
  std::clearerr(file.stream);
  std::fseek(file.stream, 0, SEEK_SET);
}

Value native_open(NativeCall& call) {
  Interpreter& in = call.interpreter;
  std::string path;
  if (!path_of(in, call[0], path)) return Value();
  std::string_view mode;
  if (!text_argument(call, 1, mode)) return Value();
  size_t actions = 0;
  bool repeats = false;
  for (char c : mode) {
    actions += c == 'r' || c == 'w' || c == 'a' || c == 'x';
    repeats |= std::ranges::count(mode, c) > 1;
  }
  if (repeats || mode.find_first_not_of("rwaxbt+") != std::string_view::npos)
    return call.raise("ValueError", fmt::format("invalid mode: '{}'", mode));
  if (mode.find('b') != std::string_view::npos && mode.find('t') != std::string_view::npos)
    return call.raise("ValueError", "can't have text and binary mode at once");
  if (actions == 0)
    return call.raise(
        "ValueError",
        "Must have exactly one of create/read/write/append mode and at most one plus");
  if (actions > 1)
    return call.raise("ValueError", "must have exactly one of create/read/write/append mode");
  auto file = make_ref<FileObject>(file_class(in));
  file->binary = mode.find('b') != std::string_view::npos;
  bool marked = false;
  if (!take_text_arguments(call, *file, marked)) return Value();
  std::string native_mode;
  for (char c : mode)
    if (c != 't') native_mode += c == 'x' ? 'w' : c;
  if (mode.find('x') != std::string_view::npos) native_mode += 'x';
  std::FILE* stream = std::fopen(path.c_str(), native_mode.c_str());
  if (!stream) return raise_os_error(in, errno, path);
  struct stat about{};
  if (::fstat(::fileno(stream), &about) == 0 && S_ISDIR(about.st_mode)) {
    std::fclose(stream);
    return raise_os_error(in, EISDIR, path);
  }
  file->stream = stream;
  file->name = path;
  file->mode = mode;
  if (marked) pass_mark(*file);
  return Value(std::move(file));
}

constexpr NativeDefinition kMethods[] = {
    {"read(self, size=None, /)", file_read, kImpure, "the rest of the file"},
    {"readline(self, /)", file_readline, kImpure, "the next line"},
    {"readlines(self, /)", file_readlines, kImpure, "the lines that are left"},
    {"write(self, text, /)", file_write, kImpure, "writes a text"},
    {"writelines(self, lines, /)", file_writelines, kImpure, "writes several texts"},
    {"flush(self, /)", file_flush, kImpure, "hands over what is buffered"},
    {"close(self, /)", file_close, kImpure, "closes the file"},
    {"seek(self, offset, whence=0, /)", file_seek, kImpure, "goes to a place"},
    {"tell(self, /)", file_tell, kImpure, "the place"},
    {"isatty(self, /)", file_isatty, kImpure, "whether it is a terminal"},
    {"fileno(self, /)", file_fileno, kImpure, "the descriptor"},
    {"__enter__(self, /)", file_enter, kImpure, "the file"},
    {"__exit__(self, kind=None, value=None, traceback=None, /)", file_exit, kImpure,
     "closes the file"},
    {"__iter__(self, /)", file_iter, kImpure, "an iterator over the lines"},
    {"__next__(self, /)", file_next, kImpure, "the next line"},
};
constexpr NativeDefinition kProperties[] = {
    {"closed(self)", file_closed, kImpure, "whether it is closed"},
    {"encoding(self)", file_encoding, kImpure, "how text becomes bytes"},
    {"name(self)", file_name, kImpure, "the path"},
    {"mode(self)", file_mode, kImpure, "how it was opened"},
};

}  // namespace

bool written(Interpreter& in, int code) {
  if (code != 0) raise_os_error(in, code);
  return code == 0;
}

void FileObject::close() {
  if (stream) std::fclose(stream);
  stream = nullptr;
  closed = descriptor < 0;
}

Value path_text(Interpreter& in, const Value& path) {
  if (is_str(path) || path.is<BytesObject>()) return path;
  if (!class_of(path)->lookup("__fspath__"))
    return in.raise("TypeError", fmt::format("expected str, bytes or os.PathLike object, not {}",
                                             type_name(path)));
  Value text = in.call_method(path, "__fspath__");
  if (text.is_undefined() || is_str(text) || text.is<BytesObject>()) return text;
  return in.raise("TypeError",
                  fmt::format("expected {}.__fspath__() to return str or bytes, not {}",
                              type_name(path), type_name(text)));
}

bool path_of(Interpreter& in, const Value& path, std::string& out) {
  const Value text = path_text(in, path);
  if (text.is_undefined()) return false;
  out = is_str(text) ? view_of(text) : text.as<BytesObject>()->data;
  if (out.find('\0') == std::string::npos) return true;
  in.raise("ValueError", "embedded null byte");
  return false;
}

ClassObject* file_class(Interpreter& in) {
  if (Value* found = in.builtins().find("TextIOWrapper"); found && found->is<ClassObject>())
    return found->as<ClassObject>();
  Ref<ClassObject> cls = in.new_class("TextIOWrapper", in.classes().object, kNativeDataKind, "_io");
  in.add_methods(*cls, kMethods);
  for (const NativeDefinition& property : kProperties) in.add_property(*cls, property);
  in.builtins().set("TextIOWrapper", Value(cls));
  return cls.get();
}

Value stream_value(Interpreter& in, int descriptor, std::string name) {
  auto file = make_ref<FileObject>(file_class(in));
  file->descriptor = descriptor;
  file->name = std::move(name);
  file->mode = "w";
  return Value(std::move(file));
}

void install_files(Interpreter& in) {
  in.add_builtin({"open(file, mode='r', buffering=-1, encoding=None, errors=None, newline=None)",
                  native_open, kImpure, "opens a file"});
}

}  // namespace glint::runtime
