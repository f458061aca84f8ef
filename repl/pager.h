// A long text, through a pager: `$PAGER`, else `less -R` where it is installed.
//
// A text that fits on the screen is written as it is, and so is every text where no pager can be
// had. Ctrl-C is the pager's own as long as it runs.
#pragma once

#include <string>
#include <string_view>

namespace glint {

/// Whether a text takes more than the terminal's lines.
bool is_longer_than_screen(std::string_view text);
/// What `page` starts, for a shell; empty: nothing.
std::string pager_command();
/// Shows a text on the terminal.
void page(std::string_view text);

}  // namespace glint
