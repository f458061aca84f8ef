// The grammar that finds the words for a wrong source: what CPython 3.11 accepts, and, behind `=>`,
// the mistakes that it knows by name. frontend/peg.h reads it; its notation in short:
//
//     'if' NAME NEWLINE     tokens: a keyword or operator, a kind of token
//     x? x* x+ ','.x+       at most one, any number, at least one, a list with commas between
//     &x !x  &&':'  ~       what follows must, must not be x; must be `:` or the source is wrong
//     here;
//                           no other alternative of this rule from here on
//     a=x  -> a  -> kind    a name for a part; what the alternative stands for: that part, or an
//                           expression of that kind
//     rule#: ...            what it matches is remembered whether mistakes are looked for or not
//     => at a "..."         a mistake. `from a to b`, `from a to last`, `at last`: where; `block
//     a`:
//                           a's block is missing; `target a`: the wrong target in a
//
// Alternatives are tried in order, so the order of mistakes decides which one is reported. Mistakes
// are looked for in a second pass only, when the first has shown that the source is wrong.

#include "frontend/peg.h"

namespace glint::frontend {

std::string_view diagnosing_grammar() {
  // Two literals: compilers need not take one of this length.
  static const std::string kGrammar = std::string(R"(
file: statement* END
single: NEWLINE* statement? NEWLINE* END
eval: expressions NEWLINE* END
field: stars

statement: compound | simple_line
simple_line: simple !';' NEWLINE | ';'.simple+ ';'? NEWLINE
simple#: assignment | stars
  | &'return' 'return' stars?
  | &'import' 'import' ','.(dotted ('as' NAME)?)+
  | &'from' from_import
  | &'raise' 'raise' (expression ('from' expression)?)?
  | 'pass'
  | &'del' delete
  | &'yield' yielded
  | &'assert' 'assert' expression (',' expression)?
  | 'break' | 'continue'
  | &'global' 'global' ','.NAME+
  | &'nonlocal' 'nonlocal' ','.NAME+
compound: &('def' | '@' | 'async') function
  | &'if' if
  | &('class' | '@') class
  | &('with' | 'async') with
  | &('for' | 'async') for
  | &'try' try
  | &'while' while
  | match

assignment: NAME ':' expression ('=' assigned)?
  | ('(' single_target ')' | single_place) ':' expression ('=' assigned)?
  | (targets '=')+ (yielded | stars) !'='
  | single_target augmented ~ (yielded | stars)
  | a=annotated_display ':' expression => at a "only single target (not %s) can be annotated"
  | a=item ',' items* ':' expression => at a "only single target (not tuple) can be annotated"
  | a=expression ':' expression => at a "illegal target for annotation"
  | (targets '=')* a=stars '=' => target a "assign to"
  | (targets '=')* a=yielded '=' => at a "assignment to yield expression not possible"
  | a=stars augmented (yielded | stars) => at a "'%s' is an illegal expression for augmented assignment"
annotated_display: list | tuple | '(' a=annotated_display ')' -> a
assigned: yielded | stars
augmented: '+=' | '-=' | '*=' | '@=' | '/=' | '%=' | '&=' | '|=' | '^=' | '<<=' | '>>=' | '**=' | '//='
delete: 'del' delete_targets &(';' | NEWLINE)
  | 'del' a=stars => target a "delete"

dotted#: '.'.NAME+
from_import: 'from' ('.' | '...')* dotted 'import' imported
  | 'from' ('.' | '...')+ 'import' imported
imported: '(' imported_names ','? ')' | imported_names !',' | '*'
  | imported_names ',' NEWLINE => at last "trailing comma not allowed without surrounding parentheses"
imported_names: ','.(NAME ('as' NAME)?)+

block#: NEWLINE INDENT statement+ DEDENT | simple_line
  | NEWLINE !INDENT => indent "expected an indented block"
decorators: ('@' named NEWLINE)+

class: decorators class_body | class_body
class_body: 'class' NAME ('(' arguments? ')')? NEWLINE => at last "expected ':'"
  | a='class' NAME ('(' arguments? ')')? ':' NEWLINE !INDENT => block a "class definition"
  | 'class' NAME ('(' arguments? ')')? ':' block
function: decorators function_body | function_body
function_body: 'async'? a='def' NAME '(' parameters? ')' ('->' expression)? ':' NEWLINE !INDENT => block a "function definition"
  | 'def' NAME &&'(' parameters? ')' ('->' expression)? &&':' block
  | 'async' 'def' NAME &&'(' parameters? ')' ('->' expression)? &&':' block

parameters: plain* (slash_defaults | defaulted+) a=plain => at a "non-default argument follows default argument"
  | plain* a='(' plain+ ','? b=')' => from a to b "Function parameters cannot be parenthesized"
  | a='/' ',' => at a "at least one argument must precede /"
  | (slash_plain | slash_defaults) either* a='/' => at a "/ may appear only once"
  | (slash_plain | slash_defaults)? either* '*' (',' | plain) either* a='/' => at a "/ must be ahead of *"
  | either+ '/' a='*' => at a "expected comma between / and *"
  | slash_plain plain* defaulted* star_parameters?
  | slash_defaults defaulted* star_parameters?
  | plain+ defaulted* star_parameters?
  | defaulted+ star_parameters?
  | star_parameters
slash_plain: plain+ '/' ',' | plain+ '/' &')'
slash_defaults: plain* defaulted+ '/' ',' | plain* defaulted+ '/' &')'
star_parameters: a='*' (')' | ',' (')' | '**')) => at a "named arguments must follow bare *"
  | '*' parameter a='=' => at a "var-positional argument cannot have default value"
  | '*' (plain | ',') either* a='*' (plain | ',') => at a "* argument may appear only once"
  | '*' plain either* keyword_parameters?
  | '*' NAME ':' star_or_expression ',' either* keyword_parameters?
  | '*' NAME ':' star_or_expression &')' either* keyword_parameters?
  | '*' ',' either+ keyword_parameters?
  | keyword_parameters
keyword_parameters: '**' parameter a='=' => at a "var-keyword argument cannot have default value"
  | '**' parameter ',' a=parameter => at a "arguments cannot follow var-keyword argument"
  | '**' parameter ',' a=('*' | '**' | '/') => at a "arguments cannot follow var-keyword argument"
  | '**' plain
plain: a=parameter ',' -> a | a=parameter &')' -> a
defaulted: parameter default ',' | parameter default &')'
either: parameter default? ',' | parameter default? &')'
parameter: NAME (':' expression)?
default: '=' expression
  | a='=' &(')' | ',') => at a "expected default value expression"

if: 'if' named NEWLINE => at last "expected ':'"
  | a='if' named ':' NEWLINE !INDENT => block a "'if' statement"
  | 'if' named ':' block elif
  | 'if' named ':' block else?
elif: 'elif' named NEWLINE => at last "expected ':'"
  | a='elif' named ':' NEWLINE !INDENT => block a "'elif' statement"
  | 'elif' named ':' block elif
  | 'elif' named ':' block else?
else: a='else' ':' NEWLINE !INDENT => block a "'else' statement"
  | 'else' &&':' block
while: 'while' named NEWLINE => at last "expected ':'"
  | a='while' named ':' NEWLINE !INDENT => block a "'while' statement"
  | 'while' named ':' block else?
for: 'async'? 'for' targets 'in' stars NEWLINE => at last "expected ':'"
  | 'async'? a='for' targets 'in' stars ':' NEWLINE !INDENT => block a "'for' statement"
  | 'for' targets 'in' ~ stars ':' block else?
  | 'async' 'for' targets 'in' ~ stars ':' block else?
  | wrong_for_target
wrong_for_target: 'async'? 'for' a=stars => target a "for"
with: 'async'? a='with' ','.(expression ('as' target)?)+ ':' NEWLINE !INDENT => block a "'with' statement"
  | 'async'? a='with' '(' ','.(expressions ('as' target)?)+ ','? ')' ':' NEWLINE !INDENT => block a "'with' statement"
  | 'async'? 'with' '(' ','.with_item+ ','? ')' ':' block
  | 'async'? 'with' ','.with_item+ ':' block
  | 'async'? 'with' ','.(expression ('as' target)?)+ NEWLINE => at last "expected ':'"
  | 'async'? 'with' '(' ','.(expressions ('as' target)?)+ ','? ')' NEWLINE => at last "expected ':'"
with_item: expression 'as' target &(',' | ')' | ':')
  | expression 'as' a=expression &(',' | ')' | ':') => target a "assign to"
  | expression
try: a='try' ':' NEWLINE !INDENT => block a "'try' statement"
  | 'try' ':' block !('except' | 'finally') => at last "expected 'except' or 'finally' block"
  | 'try' ':' block* except+ a='except' b='*' expression ('as' NAME)? ':' => from a to b "cannot have both 'except' and 'except*' on the same 'try'"
  | 'try' ':' block* except_star+ a='except' (expression ('as' NAME)?)? ':' => at a "cannot have both 'except' and 'except*' on the same 'try'"
  | 'try' &&':' block finally
  | 'try' &&':' block except+ else? finally?
  | 'try' &&':' block except_star+ else? finally?
except: a='except' expression ('as' NAME)? ':' NEWLINE !INDENT => block a "'except' statement"
  | a='except' ':' NEWLINE !INDENT => block a "'except' statement"
  | 'except' expression ('as' NAME)? ':' block
  | 'except' ':' block
  | wrong_except
except_star: a='except' '*' expression ('as' NAME)? ':' NEWLINE !INDENT => block a "'except*' statement"
  | 'except' '*' expression ('as' NAME)? ':' block
  | wrong_except
wrong_except: 'except' '*'? a=expression ',' expressions ('as' NAME)? ':' => from a to last "multiple exception types must be parenthesized"
  | 'except' '*'? expression ('as' NAME)? NEWLINE => at last "expected ':'"
  | 'except' NEWLINE => at last "expected ':'"
  | 'except' '*' (NEWLINE | ':') => at last "expected one or more exception types"
finally: a='finally' ':' NEWLINE !INDENT => block a "'finally' statement"
  | 'finally' &&':' block
)") + R"(
match: "match" subject ':' NEWLINE INDENT case+ DEDENT
  | "match" subject NEWLINE => at last "expected ':'"
  | a="match" subject ':' NEWLINE !INDENT => block a "'match' statement"
subject: item ',' items? | named
case: "case" patterns guard? NEWLINE => at last "expected ':'"
  | a="case" patterns guard? ':' NEWLINE !INDENT => block a "'case' statement"
  | "case" patterns guard? ':' block
guard: 'if' named
patterns: maybe_star_pattern ',' ','.maybe_star_pattern* ','? | pattern
pattern: alternatives 'as' !"_" NAME !('.' | '(' | '=')
  | alternatives 'as' a="_" => at a "cannot use '_' as a target"
  | alternatives 'as' !NAME a=expression => at a "invalid pattern target"
  | alternatives
alternatives: '|'.closed_pattern+
closed_pattern: signed !('+' | '-') | complex | &STRING strings | 'None' | 'True' | 'False'
  | !"_" NAME !('.' | '(' | '=')
  | "_"
  | NAME '.' '.'.NAME+ !('.' | '(' | '=')
  | '(' pattern ')'
  | '[' pattern_items? ']'
  | '(' (maybe_star_pattern ',' pattern_items?)? ')'
  | '{' '}'
  | '{' '**' !"_" NAME ','? '}'
  | '{' ','.mapping_item+ ',' '**' !"_" NAME ','? '}'
  | '{' ','.mapping_item+ ','? '}'
  | class_pattern
signed: '-'? NUMBER
complex: '-'? real ('+' | '-') imaginary
real: REAL | a=NUMBER => at a "real number required in complex literal" always
imaginary: IMAGINARY | a=NUMBER => at a "imaginary number required in complex literal" always
pattern_items: ','.maybe_star_pattern+ ','?
maybe_star_pattern: '*' NAME | pattern
mapping_item: (signed !('+' | '-') | complex | &STRING strings | 'None' | 'True' | 'False' | NAME '.' '.'.NAME+) ':' pattern
class_pattern: dotted '(' ')'
  | dotted '(' positional_patterns ','? ')'
  | dotted '(' keyword_patterns ','? ')'
  | dotted '(' positional_patterns ',' keyword_patterns ','? ')'
  | dotted '(' (positional_patterns ',')? keyword_patterns ',' a=positional_patterns => from a to a "positional patterns follow keyword patterns"
positional_patterns: ','.pattern+
keyword_patterns: ','.(NAME '=' pattern)+

expressions: expression (',' expression)+ ','? -> tuple | expression ',' -> tuple | expression
expression#: !(NAME STRING | SOFT) a=disjunction b=plain_expression => from a to b "invalid syntax. Perhaps you forgot a comma?" in_brackets unless_legacy
  | a=disjunction 'if' b=disjunction !('else' | ':') => from a to b "expected 'else' after 'if' expression"
  | a=NAME !'(' b=stars => from a to b "Missing parentheses in call to '%s'. Did you mean %s(...)?" if_legacy
  | disjunction 'if' disjunction 'else' expression -> conditional
  | disjunction
  | lambda
plain_expression: WITHOUT_MISTAKES unexamined_expression
unexamined_expression: disjunction 'if' disjunction 'else' expression -> conditional | disjunction | lambda
yielded: 'yield' 'from' expression -> yield | 'yield' stars? -> yield
stars: star_or_expression (',' star_or_expression)+ ','? -> tuple | star_or_expression ',' -> tuple | star_or_expression
star_or_expression#: '*' bitor -> starred | expression
items: ','.item+ ','?
item: '*' bitor -> starred | named
walrus: NAME ':=' ~ expression -> walrus
named: walrus
  | a=expression ':=' expression => at a "cannot use assignment expressions with %s"
  | a=NAME '=' b=bitor !('=' | ':=') => from a to b "invalid syntax. Maybe you meant '==' or ':=' instead of '='?"
  | !(list | tuple | generator | 'True' | 'None' | 'False') a=bitor '=' bitor !('=' | ':=') => at a "cannot assign to %s here. Maybe you meant '==' instead of '='?"
  | a=expression !':=' -> a
disjunction#: conjunction ('or' conjunction -> operation)* -> fold
conjunction#: inversion ('and' inversion -> operation)* -> fold
inversion#: 'not' inversion -> operation | comparison
comparison: bitor compared* -> fold
compared: '==' bitor -> compare | '!=' bitor -> compare | '<=' bitor -> compare | '<' bitor -> compare
  | '>=' bitor -> compare | '>' bitor -> compare | 'not' 'in' bitor -> compare | 'in' bitor -> compare_in
  | 'is' 'not' bitor -> compare | 'is' bitor -> compare
bitor#: bitxor ('|' bitxor -> operation)* -> fold
bitxor#: bitand ('^' bitand -> operation)* -> fold
bitand#: shift ('&' shift -> operation)* -> fold
shift#: sum (('<<' | '>>') sum -> operation)* -> fold
sum#: term (('+' | '-') term -> operation)* -> fold
term#: factor (('*' | '/' | '//' | '%' | '@') factor -> operation)* -> fold
factor#: ('+' | '-' | '~') factor -> operation | power
power: awaited '**' factor -> operation | awaited
awaited#: 'await' primary -> await | primary
primary#: atom trailer* -> fold
trailer: '.' NAME -> attribute | generator -> call | '(' arguments? ')' -> call | '[' slices ']' -> subscript
slices: slice !',' | ','.(slice | starred)+ ','?
slice: expression? ':' expression? (':' expression?)? | named
atom: NAME -> name | 'True' -> true | 'False' -> false | 'None' -> none | &STRING strings | NUMBER -> literal
  | &'(' (tuple | group | generator)
  | &'[' (list | list_comprehension)
  | &'{' (dict | set | dict_comprehension | set_comprehension)
  | '...' -> ellipsis
strings#: STRINGS
group: '(' a=(yielded | named) ')' -> a
  | '(' a=starred ')' => at a "cannot use starred expression here"
  | '(' a='**' expression ')' => at a "cannot use double starred expression here"
tuple: '(' (item ',' items?)? ')' -> tuple
list: '[' items? ']' -> list
set: '{' items '}' -> set
dict: '{' (','.entry+ ','?)? '}' -> dict
  | '{' wrong_entries '}'
entry: '**' bitor | expression ':' expression
wrong_entries: ','.entry+ ',' wrong_entry
  | expression ':' a='*' bitor => from a to last "cannot use a starred expression in a dictionary value" always
  | expression a=':' &('}' | ',') => at a "expression expected after dictionary key and ':'" always
wrong_entry: a=expression !':' => end a "':' expected after dictionary key" always
  | expression ':' a='*' bitor => from a to last "cannot use a starred expression in a dictionary value" always
  | expression a=':' &('}' | ',') => at a "expression expected after dictionary key and ':'" always
generator: '(' (walrus | expression !':=') clauses ')' -> generator
  | wrong_comprehension
list_comprehension: '[' named clauses ']' -> list_comprehension
  | wrong_comprehension
set_comprehension: '{' named clauses '}' -> set_comprehension
  | wrong_comprehension
dict_comprehension: '{' expression ':' expression clauses '}' -> dict_comprehension
  | '{' a='**' bitor clauses '}' => at a "dict unpacking cannot be used in dict comprehension"
wrong_comprehension: ('[' | '(' | '{') a=starred clauses => at a "iterable unpacking cannot be used in comprehension"
  | ('[' | '{') a=item ',' b=items clauses => from a to b "did you forget parentheses around the comprehension target?"
  | ('[' | '{') a=item b=',' clauses => from a to b "did you forget parentheses around the comprehension target?"
clauses: clause+
clause: 'async' 'for' targets 'in' ~ disjunction ('if' disjunction)*
  | 'for' targets 'in' ~ disjunction ('if' disjunction)*
  | wrong_for_target

lambda: 'lambda' lambda_parameters? ':' expression -> lambda
lambda_parameters: lambda_plain* (lambda_slash_defaults | lambda_defaulted+) a=lambda_plain => at a "non-default argument follows default argument"
  | lambda_plain* a='(' ','.NAME+ ','? b=')' => from a to b "Lambda expression parameters cannot be parenthesized"
  | a='/' ',' => at a "at least one argument must precede /"
  | (lambda_slash_plain | lambda_slash_defaults) lambda_either* a='/' => at a "/ may appear only once"
  | (lambda_slash_plain | lambda_slash_defaults)? lambda_either* '*' (',' | lambda_plain) lambda_either* a='/' => at a "/ must be ahead of *"
  | lambda_either+ '/' a='*' => at a "expected comma between / and *"
  | lambda_slash_plain lambda_plain* lambda_defaulted* lambda_star?
  | lambda_slash_defaults lambda_defaulted* lambda_star?
  | lambda_plain+ lambda_defaulted* lambda_star?
  | lambda_defaulted+ lambda_star?
  | lambda_star
lambda_slash_plain: lambda_plain+ '/' ',' | lambda_plain+ '/' &':'
lambda_slash_defaults: lambda_plain* lambda_defaulted+ '/' ',' | lambda_plain* lambda_defaulted+ '/' &':'
lambda_star: '*' (':' | ',' (':' | '**')) => at last "named arguments must follow bare *"
  | '*' NAME a='=' => at a "var-positional argument cannot have default value"
  | '*' (lambda_plain | ',') lambda_either* a='*' (lambda_plain | ',') => at a "* argument may appear only once"
  | '*' lambda_plain lambda_either* lambda_keywords?
  | '*' ',' lambda_either+ lambda_keywords?
  | lambda_keywords
lambda_keywords: '**' NAME a='=' => at a "var-keyword argument cannot have default value"
  | '**' NAME ',' a=NAME => at a "arguments cannot follow var-keyword argument"
  | '**' NAME ',' a=('*' | '**' | '/') => at a "arguments cannot follow var-keyword argument"
  | '**' lambda_plain
lambda_plain: a=NAME ',' -> a | a=NAME &':' -> a
lambda_defaulted: NAME lambda_default ',' | NAME lambda_default &':'
lambda_either: NAME lambda_default? ',' | NAME lambda_default? &':'
lambda_default: '=' expression
  | a='=' &(')' | ',') => at a "expected default value expression"

arguments#: a=arguments_in_order ','? &')' -> a
  | ((','.(starred | (walrus | expression !':=') !'=')+ ',' keywords) | keywords) ',' a='*' => at a "iterable argument unpacking follows keyword argument unpacking"
  | a=expression b=clauses ',' (arguments_in_order | expression clauses)? => from a to b "Generator expression must be parenthesized"
  | a=NAME b='=' expression clauses => from a to b "invalid syntax. Maybe you meant '==' or ':=' instead of '='?"
  | a=arguments_in_order b=clauses => last_argument a b "Generator expression must be parenthesized"
  | arguments_in_order ',' a=expression b=clauses => from a to b "Generator expression must be parenthesized"
  | a=arguments_in_order ',' arguments_in_order => argument_order a
arguments_in_order: ','.(starred | (walrus | expression !':=') !'=')+ (',' keywords)?
  | keywords
keywords: ','.keyword_or_star+ ',' ','.keyword_or_double_star+
  | ','.keyword_or_star+
  | ','.keyword_or_double_star+
starred: '*' expression -> starred
keyword_or_star: wrong_keyword | NAME '=' expression -> keyword | starred
keyword_or_double_star: wrong_keyword | NAME '=' expression -> keyword | '**' expression -> double_star
wrong_keyword: a=('True' | 'False' | 'None') b='=' => from a to b "cannot assign to %s"
  | a=NAME b='=' expression clauses => from a to b "invalid syntax. Maybe you meant '==' or ':=' instead of '='?"
  | !(NAME '=') a=expression b='=' => from a to b "expression cannot contain assignment, perhaps you meant \"==\"?"

targets: target !',' | target (',' target)* ','?
target#: '*' !'*' target | target_place
target_place#: place_start '.' NAME !('(' | '[' | '.') | place_start '[' slices ']' !('(' | '[' | '.') | star_atom
star_atom: NAME | '(' target_place ')' | '(' (target (',' target)+ ','? | target ',')? ')' | '[' (','.target+ ','?)? ']'
single_target: single_place | NAME | '(' single_target ')'
single_place: place_start '.' NAME !('(' | '[' | '.') | place_start '[' slices ']' !('(' | '[' | '.')
place_start#: atom &('(' | '[' | '.') place_trailer*
place_trailer: '.' NAME &('(' | '[' | '.') | '[' slices ']' &('(' | '[' | '.')
  | generator &('(' | '[' | '.') | '(' arguments? ')' &('(' | '[' | '.')
delete_targets: ','.delete_target+ ','?
delete_target#: place_start '.' NAME !('(' | '[' | '.') | place_start '[' slices ']' !('(' | '[' | '.') | delete_atom
delete_atom: NAME | '(' delete_target ')' | '(' delete_targets? ')' | '[' delete_targets? ']'
)";
  return kGrammar;
}

}  // namespace glint::frontend
