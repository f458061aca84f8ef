// The tokens of the language: Python 3.11's.
//
// Indentation, line joining in brackets, and the soft keywords `match` and `case` are decided on the
// list of tokens behind the lexer (frontend/layout.h), as CPython's tokenizer does; so NEWLINE here is
// every line end, and INDENT, DEDENT, MATCH and CASE are never made here.
lexer grammar GlintLexer;

tokens { INDENT, DEDENT, MATCH, CASE }

FALSE: 'False';
NONE: 'None';
TRUE: 'True';
AND: 'and';
AS: 'as';
ASSERT: 'assert';
ASYNC: 'async';
AWAIT: 'await';
BREAK: 'break';
CLASS: 'class';
CONTINUE: 'continue';
DEF: 'def';
DEL: 'del';
ELIF: 'elif';
ELSE: 'else';
EXCEPT: 'except';
FINALLY: 'finally';
FOR: 'for';
FROM: 'from';
GLOBAL: 'global';
IF: 'if';
IMPORT: 'import';
IN: 'in';
IS: 'is';
LAMBDA: 'lambda';
NONLOCAL: 'nonlocal';
NOT: 'not';
OR: 'or';
PASS: 'pass';
RAISE: 'raise';
RETURN: 'return';
TRY: 'try';
WHILE: 'while';
WITH: 'with';
YIELD: 'yield';

LPAREN: '(';
RPAREN: ')';
LBRACK: '[';
RBRACK: ']';
LBRACE: '{';
RBRACE: '}';
ELLIPSIS: '...';
DOT: '.';
COMMA: ',';
SEMI: ';';
WALRUS: ':=';
COLON: ':';
ARROW: '->';
ADD_ASSIGN: '+=';
SUB_ASSIGN: '-=';
MUL_ASSIGN: '*=';
AT_ASSIGN: '@=';
DIV_ASSIGN: '/=';
MOD_ASSIGN: '%=';
AND_ASSIGN: '&=';
OR_ASSIGN: '|=';
XOR_ASSIGN: '^=';
LSHIFT_ASSIGN: '<<=';
RSHIFT_ASSIGN: '>>=';
POW_ASSIGN: '**=';
IDIV_ASSIGN: '//=';
EQ: '==';
NE: '!=';
LE: '<=';
GE: '>=';
LSHIFT: '<<';
RSHIFT: '>>';
POW: '**';
IDIV: '//';
ASSIGN: '=';
LT: '<';
GT: '>';
ADD: '+';
SUB: '-';
MUL: '*';
DIV: '/';
MOD: '%';
AT: '@';
AMP: '&';
BAR: '|';
CARET: '^';
TILDE: '~';

STRING: PREFIX? (LONG_STRING | SHORT_STRING);
// A string that its line, or the file, ends before its quote: reported by name.
OPEN_STRING: PREFIX? (('"""' (ESCAPE | ~'\\')*?) | ('\'\'\'' (ESCAPE | ~'\\')*?)
           | ('"' (ESCAPE | ~[\\\r\n"])*) | ('\'' (ESCAPE | ~[\\\r\n'])*));
fragment PREFIX: [rR] [bBfF]? | [bBfF] [rR]? | [uU];
fragment LONG_STRING: '"""' (ESCAPE | ~'\\')*? '"""' | '\'\'\'' (ESCAPE | ~'\\')*? '\'\'\'';
fragment SHORT_STRING: '"' (ESCAPE | ~[\\\r\n"])* '"' | '\'' (ESCAPE | ~[\\\r\n'])* '\'';
fragment ESCAPE: '\\' ('\r\n' | .);

// Digits run on into letters here, so that `12ab` is one token and one complaint.
NUMBER: DIGIT (DIGIT | LETTER)* FRACTION? EXPONENT?
      | DIGIT (DIGIT | '_')* EXPONENT
      | '.' DIGIT (DIGIT | '_')* (EXPONENT | LETTER (LETTER | DIGIT)*)?
      ;
fragment FRACTION: '.' ((DIGIT | LETTER) (DIGIT | LETTER)*)?;
fragment EXPONENT: [eE] [+-] DIGIT (DIGIT | '_')*;
fragment DIGIT: [0-9];
fragment LETTER: [a-zA-Z_];

// Which characters beyond ASCII may stand in a name is checked afterwards (frontend/layout.cpp): with
// Unicode's thousand ranges here, the lexer's tables would take milliseconds at each start.
NAME: NAME_START NAME_PART*;
fragment NAME_START: [_a-zA-Z\u0080-\u{10FFFF}];
fragment NAME_PART: [_a-zA-Z0-9\u0080-\u{10FFFF}];

NEWLINE: '\r\n' | '\n' | '\r';
CONTINUATION: '\\' ('\r\n' | '\n' | '\r') -> skip;
COMMENT: '#' ~[\r\n]* -> skip;
SPACE: [ \t\f]+ -> skip;
UNKNOWN: .;
