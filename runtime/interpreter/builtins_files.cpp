// `open` and text files; also the objects behind sys.stdout and sys.stderr.
#include "runtime/interpreter/builtins_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "runtime/interpreter/builtins_encodings.h"
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

Value text_or_bytes(FileObject& file, std::string data) {
  if (file.binary) return Value(make_ref<BytesObject>(std::move(data)));
  return str_value(std::move(data));
}

/// A line with its end; empty at the end of the file.
std::string read_line(FileObject& file) {
  if (!file.stream) return Interpreter::current().output().read_line();
  std::string line;
  for (int c = 0; (c = std::fgetc(file.stream)) != EOF;) {
    line += static_cast<char>(c);
    if (c == '\n') break;
  }
  if (!file.binary && line.ends_with("\r\n")) line.replace(line.size() - 2, 2, "\n");
  return line;
}

struct LineIterator final : IteratorObject {
  Ref<FileObject> file;
  explicit LineIterator(Ref<FileObject> of) : file(std::move(of)) {}
  Value next(Interpreter& in) override {
    if (!file || file->closed) return Value();
    std::string line = read_line(*file);
    if (in.raise_interrupt()) return Value();
    return line.empty() ? Value() : text_or_bytes(*file, std::move(line));
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
  std::string data;
  if (!file.stream) {
    for (std::string line; !(line = read_line(file)).empty();) data += line;
  } else {
    for (int c = 0; limit != 0 && (c = std::fgetc(file.stream)) != EOF; --limit)
      data += static_cast<char>(c);
  }
  return text_or_bytes(file, std::move(data));
}

Value file_readline(NativeCall& call) {
  if (!is_open(call)) return Value();
  return text_or_bytes(self_of(call), read_line(self_of(call)));
}

Value file_readlines(NativeCall& call) {
  if (!is_open(call)) return Value();
  std::vector<Value> lines;
  for (std::string line; !(line = read_line(self_of(call))).empty();)
    lines.push_back(text_or_bytes(self_of(call), std::move(line)));
  return Value(make_list(std::move(lines)));
}

bool write(NativeCall& call, const Value& value, int64_t& count) {
  FileObject& file = self_of(call);
  std::string_view data;
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
  if (!escapes && !file.binary && !check_encodable(call.interpreter, data)) return false;
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
  return text_or_bytes(self_of(call), std::move(line));
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
  return str_value("utf-8");
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
  auto file = make_ref<FileObject>(file_class(in));
  file->stream = stream;
  file->binary = mode.find('b') != std::string_view::npos;
  file->name = path;
  file->mode = mode;
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
