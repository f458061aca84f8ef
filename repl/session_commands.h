// The commands about the session itself: its variables, what was typed, scripts beside it.
//
//     :vars                name  type    shape   dtype    bytes  value
//     :inputs              [2]   y = f(x)
//     :save demo.py        what was typed, as a script
//     :load demo.py        its lines, as if they were typed
//     :run demo.py --fast  the script, in this session
//     :reset               as at the beginning
#pragma once

#include "repl/commands.h"

namespace glint {

void show_variables(CommandContext& context);
void show_inputs(CommandContext& context);
void save_inputs(CommandContext& context);
void load_file(CommandContext& context);
void run_file(CommandContext& context);
void reset_session(CommandContext& context);

}  // namespace glint
