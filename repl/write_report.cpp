#include "repl/write_report.h"

#include <fmt/format.h>

#include <fstream>

namespace glint {

std::optional<Error> write_report(Session& session, const std::string& file) {
  if (auto fault = session.fault_of_target(file)) return fault;
  const std::string page = session.report_page();  // first: what was there stays if that fails
  std::ofstream out(file, std::ios::binary);
  out << page;
  out.close();
  if (out) return std::nullopt;
  return Error{fmt::format("`{}` cannot be written", file)};
}

}  // namespace glint
