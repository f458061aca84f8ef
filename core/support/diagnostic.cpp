#include "core/support/diagnostic.h"

#include "core/support/check.h"

namespace glint {

const std::vector<DiagnosticInfo>& diagnostic_table() {
  using enum DiagnosticId;
  static const std::vector<DiagnosticInfo> table = {
      {kBreakTensorBranch, "GB001", "a branch depends on a tensor's value",
       "use `torch.where` to choose between tensors, or keep the branch outside the function"},
      {kBreakTensorItem, "GB002", "a tensor's value is turned into a Python number",
       "keep the value as a 0-dim tensor as long as it only enters tensor arithmetic"},
      {kBreakTensorPrint, "GB003", "a tensor is printed or formatted",
       "print after the compiled function returns, or print only its shape and dtype"},
      {kBreakTensorIteration, "GB004", "a tensor's value decides how often a loop runs",
       "loop over a size instead of a value, or use a masked tensor operator"},
      {kBreakImpureCall, "GB005", "a call has an effect that a graph cannot hold",
       "move the call out of the compiled function"},
      {kBreakMutation, "GB006", "an object is changed in a way that the region cannot repeat",
       "write attributes, list items, dict entries, globals: those are part of the region"},
      {kBreakGenerator, "GB007",
       "an iterator or generator that started before the region is advanced",
       "keep what breaks (`:breaks`) out of the loop that it drives; where it comes from outside "
       "the function, make a list of it before the call, or create it inside"},
      {kBreakException, "GB008", "an exception is raised while the region is captured",
       "check the argument before the compiled function is called"},
      {kBreakInCallee, "GB009", "a called function is compiled by itself",
       "nothing to mend: it runs its own compiled code, and the caller's next region begins behind "
       "it"},
      {kBreakDisabled, "GB010", "the called function is marked `torch.compiler.disable`",
       "remove the mark if the function only computes on tensors"},
      {kBreakRegionTooLong, "GB011", "the region reached its limit of nodes or instructions",
       "compile a smaller function, or the body of the loop"},
      {kBreakUnsupportedOperator, "GB012", "an operator has no form in a graph",
       "use an operator whose sizes depend on no value; for a mask, `torch.where`"},
      {kBreakUnsupportedValue, "GB013", "a value of this type cannot be carried across the region",
       "pass the parts of the value that the function needs instead"},
      {kBreakGradient, "GB014", "the record of gradients is used in a way that a graph cannot hold",
       "keep forward, `backward` and update in one compiled function, or each in one of its own; "
       "use `x.detach()` in place of `x.data`"},
      {kFallbackPass, "FB001", "a compiler pass failed",
       "the region runs eagerly; report it with the repro file that the warning names"},
      {kFallbackBackend, "FB002", "a backend could not compile a kernel",
       "the region runs eagerly; report it with the repro file that the warning names"},
      {kFallbackVerifier, "FB003", "an IR broke one of its rules after a pass",
       "the region runs eagerly; report it with the repro file that the warning names"},
      {kFallbackUserBackend, "FB004", "a backend written in the script raised an exception",
       "mend the backend, or name a built-in one"},
      {kFallbackRecompileLimit, "FB005", "a function was compiled too often",
       "pass `dynamic=True`, or keep what changes out of the guards that `:why` names"},
      {kFallbackSmall, "FB006",
       "on small tensors the guards, breaks and writes cost more than the regions save",
       "larger tensors run compiled; move what breaks out of the function, or do more between "
       "breaks"},
      {kFallbackAnomaly, "FB007", "anomaly mode watches each operator on its own",
       "compiled functions run eagerly while it is on, so that the operator which made a NaN has a "
       "name; switch it off where the NaN is found"},
  };
  return table;
}

const DiagnosticInfo& info(DiagnosticId id) {
  for (const DiagnosticInfo& entry : diagnostic_table()) {
    if (entry.id == id) return entry;
  }
  fail("diagnostic id without an entry in the table");
}

std::optional<DiagnosticId> find_diagnostic(std::string_view code) {
  for (const DiagnosticInfo& entry : diagnostic_table()) {
    if (entry.code == code) return entry.id;
  }
  return std::nullopt;
}

}  // namespace glint
