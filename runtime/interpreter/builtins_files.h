// Files as objects of the language.
#pragma once

#include <cstdio>
#include <string>

#include "runtime/interpreter/builtins.h"

namespace glint::runtime {

struct FileObject final : NativeDataObject {
  explicit FileObject(ClassObject* of) : NativeDataObject(of) {}
  ~FileObject() override { close(); }
  void close();

  std::FILE* stream = nullptr;  ///< null when closed, and for the standard streams
  int descriptor = -1;          ///< of a standard stream: 0 to 2, the session's input and output
  bool closed = false;
  bool binary = false;
  std::string name, mode;
  // How a file of text is read and written.
  std::string encoding = "utf-8", errors = "strict";
  std::string encoding_name = "utf-8";  ///< as the script has given it
  bool any_line_end = true;             ///< a line ends with any of \n, \r\n and \r
  bool translates = true;               ///< which then becomes \n
  std::string line_end = "\n";  ///< with which a line ends otherwise, and what is written for \n
};

ClassObject* file_class(Interpreter& in);
/// The str or bytes of a path: itself, or what its class's `__fspath__` gives; undefined if it
/// raised.
Value path_text(Interpreter& in, const Value& path);
/// The same for the system's own calls, for which a text ends at a null byte; false if it raised.
bool path_of(Interpreter& in, const Value& path, std::string& out);
/// Raises what a write to the output sink gave, unless it is 0; whether nothing was raised.
bool written(Interpreter& in, int code);
/// `sys.stdout` (1) or `sys.stderr` (2): writes go to the session's output sink.
Value stream_value(Interpreter& in, int descriptor, std::string name);

}  // namespace glint::runtime
