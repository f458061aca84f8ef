#include "repl/write_report.h"

#include <fmt/format.h>

#include <fstream>

namespace glint {

std::optional<Error> write_report(Session& session, const std::string& file) {
  std::ofstream out(file, std::ios::binary);
  if (out) out << session.report_page("");
  out.close();
  if (out) return std::nullopt;
  return Error{fmt::format("`{}` cannot be written", file)};
}

}  // namespace glint
