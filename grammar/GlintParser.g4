// The syntax of the language: Python 3.11's, but for what language.md leaves out by design.
//
// What the grammar alone cannot decide is decided when the tree is built (frontend/build_*.cpp), with
// CPython's messages: assignment targets, argument order, parameter order, where `not`, `lambda` and
// `*` may stand. `async`, `await` and `except*` are parsed so that they can be refused by name.
parser grammar GlintParser;

options { tokenVocab = GlintLexer; }

file: (NEWLINE | statement)* EOF;
single: (NEWLINE* statement NEWLINE*)? EOF;
expressionInput: expressionList NEWLINE* EOF;

statement: simpleStatements | compoundStatement;
simpleStatements: simpleStatement (SEMI simpleStatement)* SEMI? NEWLINE;

simpleStatement
    : expressionStatement
    | PASS
    | BREAK
    | CONTINUE
    | returnStatement
    | raiseStatement
    | importStatement
    | fromStatement
    | globalStatement
    | nonlocalStatement
    | deleteStatement
    | assertStatement
    ;

expressionStatement
    : expressionList
      ( COLON expression (ASSIGN assigned)?
      | augmented assigned
      | (ASSIGN assigned)*
      )
    | yieldExpression
    ;
assigned: yieldExpression | expressionList;
augmented
    : ADD_ASSIGN | SUB_ASSIGN | MUL_ASSIGN | AT_ASSIGN | DIV_ASSIGN | MOD_ASSIGN | AND_ASSIGN
    | OR_ASSIGN | XOR_ASSIGN | LSHIFT_ASSIGN | RSHIFT_ASSIGN | POW_ASSIGN | IDIV_ASSIGN
    ;
returnStatement: RETURN expressionList?;
raiseStatement: RAISE (expression (FROM expression)?)?;
importStatement: IMPORT dottedAs (COMMA dottedAs)*;
dottedAs: dottedName (AS NAME)?;
dottedName: NAME (DOT NAME)*;
fromStatement: FROM relative IMPORT (MUL | LPAREN importNames RPAREN | importNames);
relative: (DOT | ELLIPSIS)* dottedName | (DOT | ELLIPSIS)+;
importNames: importName (COMMA importName)* COMMA?;
importName: NAME (AS NAME)?;
globalStatement: GLOBAL NAME (COMMA NAME)*;
nonlocalStatement: NONLOCAL NAME (COMMA NAME)*;
deleteStatement: DEL expressionList;
assertStatement: ASSERT expression (COMMA expression)?;

compoundStatement
    : ifStatement
    | whileStatement
    | forStatement
    | tryStatement
    | withStatement
    | decorated
    | functionDefinition
    | classDefinition
    | matchStatement
    | asyncStatement
    ;
block: simpleStatements | NEWLINE INDENT statement+ DEDENT;

ifStatement: IF namedExpression COLON block elifClause* elseClause?;
elifClause: ELIF namedExpression COLON block;
elseClause: ELSE COLON block;
whileStatement: WHILE namedExpression COLON block elseClause?;
forStatement: FOR targetList IN expressionList COLON block elseClause?;
tryStatement: TRY COLON block (exceptClause+ elseClause? finallyClause? | finallyClause);
exceptClause: EXCEPT MUL? (expression (AS NAME)? | expressionList)? COLON block;
finallyClause: FINALLY COLON block;
withStatement
    : WITH LPAREN withItem (COMMA withItem)* COMMA? RPAREN COLON block
    | WITH withItem (COMMA withItem)* COLON block
    ;
withItem: expression (AS starArith)?;
decorated: decorator+ (functionDefinition | classDefinition | asyncStatement);
decorator: AT namedExpression NEWLINE;
functionDefinition: DEF NAME LPAREN parameters? RPAREN (ARROW expression)? COLON block;
classDefinition: CLASS NAME (LPAREN arguments? RPAREN)? COLON block;
asyncStatement: ASYNC (functionDefinition | forStatement | withStatement);

parameters: parameter (COMMA parameter)* COMMA?;
parameter
    : MUL NAME (COLON (MUL arith | expression))?
    | POW NAME (COLON expression)?
    | MUL
    | DIV
    | NAME (COLON expression)? (ASSIGN expression)?
    ;
lambdaParameters: lambdaParameter (COMMA lambdaParameter)* COMMA?;
lambdaParameter: MUL NAME | POW NAME | MUL | DIV | NAME (ASSIGN expression)?;

matchStatement: MATCH subject COLON NEWLINE INDENT caseClause+ DEDENT;
subject: starNamed (COMMA starNamed)* COMMA?;
caseClause: CASE patterns (IF namedExpression)? COLON block;
patterns: starPattern (COMMA starPattern)* COMMA?;
starPattern: MUL NAME | asPattern;
asPattern: orPattern (AS NAME)?;
orPattern: closedPattern (BAR closedPattern)*;
closedPattern
    : patternNumber                                                     # numberPattern
    | STRING+                                                           # stringPattern
    | (NONE | TRUE | FALSE)                                             # constantPattern
    | NAME                                                              # namePattern
    | NAME (DOT NAME)+                                                  # valuePattern
    | NAME (DOT NAME)* LPAREN patternArguments? RPAREN                  # classPattern
    | LPAREN asPattern RPAREN                                           # groupPattern
    | LPAREN (starPattern COMMA (starPattern (COMMA starPattern)* COMMA?)?)? RPAREN  # tuplePattern
    | LBRACK (starPattern (COMMA starPattern)* COMMA?)? RBRACK          # listPattern
    | LBRACE (mappingEntry (COMMA mappingEntry)* COMMA?)? RBRACE        # mappingPattern
    ;
patternNumber: SUB? NUMBER ((ADD | SUB) NUMBER)?;
patternArguments: patternArgument (COMMA patternArgument)* COMMA?;
patternArgument: NAME ASSIGN asPattern | asPattern;
mappingEntry: mappingKey COLON asPattern | POW NAME;
mappingKey: patternNumber | STRING+ | NONE | TRUE | FALSE | NAME (DOT NAME)+;

// Expressions, loosest first. `expressionList` is one expression, or a tuple without parentheses.
expressionList: starExpression (COMMA starExpression)* COMMA?;
starExpression: MUL arith | expression;
namedExpression: NAME WALRUS expression | expression;
starNamed: MUL arith | namedExpression;
targetList: starArith (COMMA starArith)* COMMA?;
starArith: MUL? arith;
yieldExpression: YIELD (FROM expression | expressionList)?;

expression
    : disjunction (IF disjunction ELSE expression)?
    | LAMBDA lambdaParameters? COLON expression
    ;

disjunction
    : arith                                                     # plainArith
    | disjunction comparison disjunction                        # compare
    | NOT disjunction                                           # negation
    | disjunction AND disjunction                               # conjunction
    | disjunction OR disjunction                                # alternative
    ;
comparison: LT | GT | EQ | GE | LE | NE | IN | NOT IN | IS NOT | IS;

arith
    : atom                                                      # plainAtom
    | arith DOT NAME                                            # attribute
    | arith LPAREN arguments? RPAREN                            # call
    | arith LBRACK subscripts RBRACK                            # subscript
    | AWAIT arith                                               # await
    | <assoc=right> arith POW arith                             # power
    | (ADD | SUB | TILDE) arith                                 # unary
    | arith (MUL | AT | DIV | MOD | IDIV) arith                 # product
    | arith (ADD | SUB) arith                                   # addition
    | arith (LSHIFT | RSHIFT) arith                             # shift
    | arith AMP arith                                           # bitAnd
    | arith CARET arith                                         # bitXor
    | arith BAR arith                                           # bitOr
    ;

arguments: argument (COMMA argument)* COMMA?;
argument
    : MUL expression
    | POW expression
    | NAME ASSIGN expression
    | namedExpression comprehensionFor*
    ;
subscripts: subscriptItem (COMMA subscriptItem)* COMMA?;
subscriptItem
    : expression? COLON expression? (COLON expression?)?        # sliceItem
    | starNamed                                                 # indexItem
    ;

atom
    : NAME                                                      # name
    | NUMBER                                                    # number
    | STRING+                                                   # string
    | (NONE | TRUE | FALSE | ELLIPSIS)                          # constant
    | LPAREN RPAREN                                             # emptyTuple
    | LPAREN yieldExpression RPAREN                             # parenthesisedYield
    | LPAREN starNamed comprehensionFor+ RPAREN                 # generator
    | LPAREN starNamed (COMMA starNamed)* COMMA? RPAREN         # parenthesised
    | LBRACK RBRACK                                             # emptyList
    | LBRACK starNamed comprehensionFor+ RBRACK                 # listComprehension
    | LBRACK starNamed (COMMA starNamed)* COMMA? RBRACK         # listDisplay
    | LBRACE RBRACE                                             # emptyDict
    | LBRACE dictEntry comprehensionFor+ RBRACE                 # dictComprehension
    | LBRACE dictEntry (COMMA dictEntry)* COMMA? RBRACE         # dictDisplay
    | LBRACE starNamed comprehensionFor+ RBRACE                 # setComprehension
    | LBRACE starNamed (COMMA starNamed)* COMMA? RBRACE         # setDisplay
    ;
dictEntry: expression COLON expression | POW arith;
comprehensionFor: ASYNC? FOR targetList IN disjunction (IF comprehensionCondition)*;
comprehensionCondition: disjunction | NAME WALRUS disjunction;
