<?php
/** A PHP file as tokens, with what the rules need: namespace, imports, the class and its methods. */

namespace Pillion\Check;

use PhpToken;

final class Method {
	/** @param Parameter[] $parameters */
	public function __construct(
		public string $name,
		public int $line,
		public bool $isPrivate,
		public ?string $returns,
		public array $parameters,
		/** Tokens of its body. */
		public array $body
	) {}
}

final class Parameter {
	public function __construct( public string $name, public bool $isOptional, public bool $isVariadic ) {}
}

final class Source {
	/** Tokens without white space and comments. @var PhpToken[] */
	public array $tokens = array();

	public string $namespace = '';

	/** Short name → full name. @var array<string, string> */
	public array $uses = array();

	/** Line of each import by its short name. @var array<string, int> */
	public array $useLines = array();

	public ?string $class = null;
	public bool $isFinal = false;
	public ?string $parent = null;

	/** @var array<string, Method> */
	public array $methods = array();

	/** Constants and static properties of the class. @var array<string, int> Name → line. */
	public array $constants = array();

	/** Private ones of any kind. @var array<string, int> Name → line. */
	public array $privates = array();

	/** Code outside the class, without opening tag, namespace and imports. @var PhpToken[] */
	public array $outside = array();

	/** All comments, for names that occur only there. */
	public string $comments = '';

	/** Line → names of the rules that a comment with a reason disables there. @var array<int, string> */
	private array $ignored = array();

	/** @throws \ParseError If PHP cannot parse it. */
	public function __construct( public string $path, public string $text ) {
		$all = PhpToken::tokenize( $text, TOKEN_PARSE );
		$this->readComments( $all );
		$this->tokens = array_values( array_filter( $all, static fn( $token ) => ! $token->isIgnorable() || $token->is( T_OPEN_TAG ) ) );
		$this->readTokens();
	}

	public function isIgnored( int $line, string $rule ): bool {
		return str_contains( $this->ignored[ $line ] ?? '', $rule );
	}

	/** @param PhpToken[] $all */
	private function readComments( array $all ): void {
		$open = '';
		$from = 0;
		foreach ( $all as $token ) {
			if ( ! $token->is( array( T_COMMENT, T_DOC_COMMENT ) ) ) {
				continue;
			}
			$this->comments .= $token->text . "\n";
			if ( ! preg_match( '/phpcs:(ignore|disable|enable)\b(.*)/', $token->text, $found ) ) {
				continue;
			}
			[ , $what, $rules ] = $found;
			// A comment without a reason disables nothing.
			$rules = str_contains( $rules, ' -- ' ) ? $rules : '';
			if ( 'ignore' === $what ) {
				$this->ignored[ $token->line ]     = $rules;
				$this->ignored[ $token->line + 1 ] = $rules;
			} elseif ( 'disable' === $what ) {
				$open = $rules;
				$from = $token->line;
			} else {
				for ( $line = $from; $line < $token->line; $line++ ) {
					$this->ignored[ $line ] = $open;
				}
			}
		}
	}

	private function readTokens(): void {
		$tokens = $this->tokens;
		$depth  = 0;
		for ( $at = 0; $at < count( $tokens ); $at++ ) {
			$token = $tokens[ $at ];
			if ( $token->is( T_NAMESPACE ) ) {
				$this->namespace = $tokens[ ++$at ]->text;
			} elseif ( $token->is( T_USE ) && 0 === $depth ) {
				$at = $this->readUse( $tokens, $at );
			} elseif ( $token->is( array( T_CLASS, T_INTERFACE ) ) && ! $tokens[ $at - 1 ]->is( T_DOUBLE_COLON ) && 0 === $depth ) {
				$this->class   = $tokens[ $at + 1 ]->text;
				$this->isFinal = $token->is( T_INTERFACE ) || $tokens[ $at - 1 ]->is( T_FINAL );
				$this->parent  = $tokens[ $at + 2 ]->is( T_EXTENDS ) ? $tokens[ $at + 3 ]->text : null;
				while ( '{' !== $tokens[ $at ]->text ) {
					++$at;
				}
				$depth = 1;
			} elseif ( str_ends_with( $token->text, '{' ) && depthChange( $token ) > 0 ) {
				++$depth;
			} elseif ( '}' === $token->text && depthChange( $token ) < 0 ) {
				--$depth;
			} elseif ( 1 === $depth && null !== $this->class && $token->is( T_CONST ) ) {
				$name                     = $tokens[ $at + 1 ]->text;
				$this->constants[ $name ] = $token->line;
				if ( $tokens[ $at - 1 ]->is( T_PRIVATE ) ) {
					$this->privates[ $name ] = $token->line;
				}
			} elseif ( 1 === $depth && null !== $this->class && $token->is( T_VARIABLE ) ) {
				$this->constants[ $token->text ] = $token->line;
				for ( $back = $at - 1; $back > $at - 4; $back-- ) {
					if ( $tokens[ $back ]->is( T_PRIVATE ) ) {
						$this->privates[ $token->text ] = $token->line;
					}
				}
			} elseif ( $depth <= 1 && $token->is( T_FUNCTION ) && isset( $tokens[ $at + 1 ] ) && $tokens[ $at + 1 ]->is( T_STRING ) ) {
				$at = $this->readMethod( $tokens, $at );
			} elseif ( 0 === $depth && ! $token->is( array( T_OPEN_TAG, T_FINAL, T_ABSTRACT ) ) && ';' !== $token->text ) {
				$this->outside[] = $token;
			}
		}
	}

	/** @param PhpToken[] $tokens */
	private function readUse( array $tokens, int $at ): int {
		$name = '';
		for ( ++$at; ';' !== $tokens[ $at ]->text; $at++ ) {
			$name = $tokens[ $at ]->is( array( T_STRING, T_NAME_QUALIFIED ) ) ? $tokens[ $at ]->text : $name;
		}
		$parts                            = explode( '\\', $name );
		$this->uses[ end( $parts ) ]      = $name;
		$this->useLines[ end( $parts ) ] = $tokens[ $at ]->line;
		return $at;
	}

	/** @param PhpToken[] $tokens */
	private function readMethod( array $tokens, int $at ): int {
		$before = array();
		for ( $back = $at - 1; $back >= 0 && $tokens[ $back ]->is( array( T_PUBLIC, T_PRIVATE, T_PROTECTED, T_STATIC, T_FINAL, T_ABSTRACT ) ); $back-- ) {
			$before[] = $tokens[ $back ]->id;
		}
		$name       = $tokens[ $at + 1 ]->text;
		$line       = $tokens[ $at ]->line;
		$open       = $at + 2;
		$close      = findClosing( $tokens, $open );
		$parameters = array_map( array( self::class, 'readParameter' ), splitArguments( $tokens, $open ) );
		$returns    = null;
		for ( $at = $close + 1; '{' !== $tokens[ $at ]->text && ';' !== $tokens[ $at ]->text; $at++ ) {
			$returns = ':' === $tokens[ $at ]->text ? '' : $returns . $tokens[ $at ]->text;
		}
		$end  = '{' === $tokens[ $at ]->text ? findClosing( $tokens, $at ) : $at;
		$body = array_slice( $tokens, $at, $end - $at + 1 );
		$this->methods[ $name ] = new Method( $name, $line, in_array( T_PRIVATE, $before, true ), $returns, $parameters, $body );
		return $end;
	}

	/** @param PhpToken[] $tokens Of one parameter. */
	private static function readParameter( array $tokens ): Parameter {
		$texts = array_column( $tokens, 'text' );
		$at    = (int) array_search( T_VARIABLE, array_column( $tokens, 'id' ), true );
		return new Parameter( $texts[ $at ], in_array( '=', $texts, true ), in_array( '...', $texts, true ) );
	}
}

/** Change of the depth of brackets. @return int 1 for an opening bracket, -1 for a closing one, 0 for brackets in strings and other tokens. */
function depthChange( PhpToken $token ): int {
	if ( $token->id >= 256 ) {
		return $token->is( array( T_CURLY_OPEN, T_DOLLAR_OPEN_CURLY_BRACES ) ) ? 1 : 0;
	}
	return in_array( $token->text, array( '(', '[', '{' ), true ) ? 1 : ( in_array( $token->text, array( ')', ']', '}' ), true ) ? -1 : 0 );
}

/**
 * @param PhpToken[] $tokens
 * @param int $open Index of an opening bracket.
 * @return int Index of its closing bracket.
 */
function findClosing( array $tokens, int $open ): int {
	$depth = 0;
	for ( $at = $open; $at < count( $tokens ); $at++ ) {
		$depth += depthChange( $tokens[ $at ] );
		if ( 0 === $depth ) {
			return $at;
		}
	}
	return count( $tokens ) - 1;
}

/**
 * Splits the tokens between brackets, or an expression, at a sign.
 * @param PhpToken[] $tokens
 * @return PhpToken[][]
 */
function splitTokens( array $tokens, string $sign ): array {
	$parts = array( array() );
	$depth = 0;
	foreach ( $tokens as $token ) {
		$depth += depthChange( $token );
		if ( 0 === $depth && $sign === $token->text ) {
			$parts[] = array();
		} else {
			$parts[ count( $parts ) - 1 ][] = $token;
		}
	}
	return array_values( array_filter( $parts ) );
}

/**
 * @param PhpToken[] $tokens
 * @param int        $open Index of the bracket before the first one.
 * @return PhpToken[][] The tokens of each argument.
 */
function splitArguments( array $tokens, int $open ): array {
	return splitTokens( array_slice( $tokens, $open + 1, findClosing( $tokens, $open ) - $open - 1 ), ',' );
}

/** @param PhpToken[] $tokens */
function joinTokens( array $tokens ): string {
	return implode( ' ', array_column( $tokens, 'text' ) );
}
