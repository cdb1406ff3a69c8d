<?php
/** The rules. Each is a function from a file, and all files by class, to its findings: line → sentence. */

namespace Pillion\Check;

use PhpToken;

/** Names from WordPress' coding standard, for comments that disable a rule with a reason. */
const ESCAPING = 'EscapeOutput';
const INPUT    = 'ValidatedSanitizedInput';
const SQL      = 'PreparedSQL';
const NONCE    = 'NonceVerification';

/** Functions whose result is safe to print. */
const ESCAPES = array( 'esc_html', 'esc_html__', 'esc_html_x', 'esc_attr', 'esc_attr__', 'esc_attr_x', 'esc_url', 'esc_textarea', 'esc_js', 'esc_xml', 'wp_kses', 'wp_kses_post', 'wp_kses_data', 'selected', 'checked', 'disabled', 'absint', 'count', 'paginate_links', 'get_submit_button', 'wp_nonce_field' );

/** Functions of the plugin whose result is already escaped. */
const OWN_ESCAPES = array( 'Admin::options', 'FormControl::attributes' );

const SUPERGLOBALS = array( '$_GET', '$_POST', '$_REQUEST', '$_SERVER', '$_COOKIE', '$_FILES' );

/** Syntax of newer PHP versions that 7.4 does not have. */
const NEWER = array(
	T_MATCH                    => 'match',
	T_NULLSAFE_OBJECT_OPERATOR => 'the operator ?->',
	T_ATTRIBUTE                => 'an attribute',
	T_ENUM                     => 'enum',
	T_READONLY                 => 'readonly',
);
/** Functions of newer PHP versions. WordPress 5.9 and later define some of PHP 8.0's, which are not listed. */
const NEWER_FUNCTIONS = array( 'array_is_list', 'array_find', 'array_any', 'array_all', 'get_debug_type', 'json_validate', 'mb_str_pad', 'fdiv', 'get_resource_id', 'iterator_apply_all' );
const NEWER_TYPES     = array( 'mixed', 'never', 'static', 'false', 'true', 'null' );

/** Functions that change stored data. */
const WRITES = array( 'update_option', 'add_option', 'delete_option', 'wp_insert_post', 'wp_update_post', 'wp_delete_post', 'update_post_meta', 'add_post_meta', 'delete_post_meta', 'wp_delete_user', 'wp_insert_user', 'set_transient' );

/**
 * Finds syntax and functions that PHP 7.4 does not have.
 * @return array<int, string>
 */
function checkSyntax( Source $file ): array {
	$found  = array();
	$tokens = $file->tokens;
	foreach ( $tokens as $at => $token ) {
		$before = $at > 0 ? $tokens[ $at - 1 ] : $token;
		$after  = $tokens[ $at + 1 ] ?? $token;
		if ( isset( NEWER[ $token->id ] ) ) {
			$found[ $token->line ] = 'PHP 7.4 does not have ' . NEWER[ $token->id ] . '.';
		} elseif ( $token->is( T_STRING ) && '(' === $after->text && in_array( $token->text, NEWER_FUNCTIONS, true ) ) {
			$found[ $token->line ] = "PHP 7.4 does not have $token->text().";
		} elseif ( $token->is( T_THROW ) && in_array( $before->text, array( '??', ':', '?', '=>', '(' ), true ) ) {
			$found[ $token->line ] = 'In PHP 7.4 throw is not an expression.';
		} elseif ( $token->is( T_CATCH ) && ! str_contains( joinTokens( array_slice( $tokens, $at, findClosing( $tokens, $at + 1 ) - $at ) ), '$' ) ) {
			$found[ $token->line ] = 'In PHP 7.4 catch needs a variable.';
		} elseif ( $token->is( T_STRING ) && ':' === $after->text && in_array( $before->text, array( '(', ',' ), true ) && ! str_starts_with( $tokens[ $at + 2 ]->text ?? '', ':' ) ) {
			$found[ $token->line ] = 'PHP 7.4 has no named arguments.';
		} elseif ( $token->is( array( T_FUNCTION, T_FN ) ) ) {
			$found += checkSignature( $tokens, $at );
		}
	}
	return $found;
}

/**
 * Finds types and parameters that PHP 7.4 does not have.
 * @param PhpToken[] $tokens
 * @param int $at Index of `function` or `fn`.
 * @return array<int, string>
 */
function checkSignature( array $tokens, int $at ): array {
	while ( '(' !== $tokens[ $at ]->text ) {
		++$at;
	}
	$found = array();
	$close = findClosing( $tokens, $at );
	foreach ( splitArguments( $tokens, $at ) as $parameter ) {
		$before = array_slice( $parameter, 0, (int) array_search( T_VARIABLE, array_column( $parameter, 'id' ), true ) );
		$texts  = array_column( $before, 'text' );
		if ( array_intersect( array( 'public', 'private', 'protected' ), $texts ) ) {
			$found[ $parameter[0]->line ] = 'PHP 7.4 has no properties in the parameters of a constructor.';
		} elseif ( in_array( '|', $texts, true ) || array_intersect( NEWER_TYPES, $texts ) ) {
			$found[ $parameter[0]->line ] = 'PHP 7.4 has no such type: ' . implode( '', $texts ) . '.';
		}
	}
	if ( ',' === $tokens[ $close - 1 ]->text ) {
		$found[ $tokens[ $close ]->line ] = 'PHP 7.4 allows no comma after the last parameter.';
	}
	$returns = array();
	for ( $at = $close + 1; isset( $tokens[ $at ] ) && ! in_array( $tokens[ $at ]->text, array( '{', ';', '=>', ',' ), true ); $at++ ) {
		$returns[] = $tokens[ $at ]->text;
	}
	if ( ':' === ( $returns[0] ?? '' ) && ( in_array( '|', $returns, true ) || array_intersect( NEWER_TYPES, $returns ) ) ) {
		$found[ $tokens[ $close ]->line ] = 'PHP 7.4 has no such return type: ' . implode( '', array_slice( $returns, 1 ) ) . '.';
	}
	return $found;
}

/** The guard of a file with a class, as its tokens. */
const GUARD        = "defined ( 'ABSPATH' ) || exit";
const GUARD_TOKENS = 6;

/**
 * A file under `src` contains one final class at the path of its name, and no code that runs.
 *
 * @param string $root Folder whose files are `Pillion\…`.
 * @return array<int, string>
 */
function checkStructure( Source $file, string $root ): array {
	if ( ! str_starts_with( $file->path, "$root/src/" ) ) {
		$guard = str_contains( $file->text, "defined( 'ABSPATH' ) || exit;" ) || str_contains( $file->text, "defined( 'WP_UNINSTALL_PLUGIN' ) || exit;" );
		return $guard ? array() : array( 1 => 'The file runs when it is opened directly: begin with defined( \'ABSPATH\' ) || exit;' );
	}
	$found  = array();
	$wanted = 'Pillion\\' . str_replace( '/', '\\', substr( $file->path, strlen( "$root/src/" ), -4 ) );
	$named  = "$file->namespace\\$file->class";
	$more   = array_slice( $file->outside, GUARD_TOKENS );
	if ( $wanted !== $named ) {
		$found[1] = "The file's path requires the class $wanted, but it contains $named.";
	} elseif ( ! $file->isFinal ) {
		$found[1] = 'The class is not final.';
	} elseif ( GUARD !== joinTokens( array_slice( $file->outside, 0, GUARD_TOKENS ) ) ) {
		$found[1] = 'Begin with defined( \'ABSPATH\' ) || exit; after the namespace, since the file may be opened directly.';
	} elseif ( $more && 'require_once ABSPATH' !== joinTokens( array_slice( $more, 0, 2 ) ) ) {
		$found[ $more[0]->line ] = 'Code outside the class runs when the file is opened directly.';
	}
	return $found;
}

/**
 * Finds probable mistakes: an unused import, an unused private member, a variable that occurs once, an unknown class,
 * method or constant, a call with too few or too many arguments.
 * @param array<string, Source> $classes By full name.
 * @return array<int, string>
 */
function checkNames( Source $file, array $classes ): array {
	$found  = array();
	$code   = $file->tokens;
	$strings = array_count_values( array_column( array_filter( $code, static fn( $token ) => $token->is( array( T_STRING, T_VARIABLE, T_CONSTANT_ENCAPSED_STRING ) ) ), 'text' ) );
	foreach ( $file->useLines as $name => $line ) {
		// An import without a namespace contains the class' name itself once.
		$own     = $file->uses[ $name ] === $name ? 1 : 0;
		$isNamed = ( $strings[ $name ] ?? 0 ) > $own || preg_match( '/\b' . $name . '\b/', $file->comments );
		if ( ! $isNamed ) {
			$found[ $line ] = "$name is imported and not used.";
		}
	}
	foreach ( $file->privates as $name => $line ) {
		$bare = ltrim( $name, '$' );
		if ( ( $strings[ $name ] ?? 0 ) + ( $bare === $name ? 0 : ( $strings[ $bare ] ?? 0 ) ) < 2 ) {
			$found[ $line ] = "The private $name is not used.";
		}
	}
	foreach ( $file->methods as $method ) {
		$isCallback = isset( $strings[ "'$method->name'" ] );
		if ( $method->isPrivate && '__construct' !== $method->name && ( $strings[ $method->name ] ?? 0 ) < 2 && ! $isCallback ) {
			$found[ $method->line ] = "The private $method->name() is not used.";
		}
		$found += checkVariables( $method );
	}
	foreach ( $code as $at => $token ) {
		$found += checkReference( $file, $classes, $at );
	}
	return $found;
}

/**
 * Finds variables that occur only once, which are probably misspelled.
 * @return array<int, string> Messages by line.
 */
function checkVariables( Method $method ): array {
	$counts = array();
	$lines  = array();
	foreach ( $method->body as $token ) {
		if ( $token->is( T_VARIABLE ) ) {
			$counts[ $token->text ] = ( $counts[ $token->text ] ?? 0 ) + 1;
			$lines[ $token->text ]  = $token->line;
		}
	}
	$known = array_merge( array_column( $method->parameters, 'name' ), SUPERGLOBALS, array( '$this', '$wpdb', '$GLOBALS', '$_' ) );
	$found = array();
	foreach ( $counts as $name => $count ) {
		// Passed by name, captured by a closure, or a static property.
		$isNamedOtherwise = preg_match( '/compact|extract/', joinTokens( $method->body ) ) || preg_match( '/(function|fn) \([^)]*' . preg_quote( $name, '/' ) . '\b|:: ' . preg_quote( $name, '/' ) . '/', joinTokens( $method->body ) );
		// Must be named, even if it is not used.
		$isPart           = preg_match( '/(foreach \(.* as|list \(|\[).*' . preg_quote( $name, '/' ) . '\b/', joinTokens( $method->body ) ) || str_contains( joinTokens( $method->body ), "catch ( " );
		if ( 1 === $count && ! in_array( $name, $known, true ) && ! $isNamedOtherwise && ! $isPart ) {
			$found[ $lines[ $name ] ] = "$name occurs in $method->name() only once.";
		}
	}
	return $found;
}

/**
 * What is wrong with a use of a class at one token: an unknown class, method, constant or static property, a private
 * one of another class, or a call with too few or too many arguments.
 *
 * @param array<string, Source> $classes By full name.
 * @return array<int, string>
 */
function checkReference( Source $file, array $classes, int $at ): array {
	$tokens = $file->tokens;
	$token  = $tokens[ $at ];
	$next   = $tokens[ $at + 1 ] ?? null;
	if ( '$this' === $token->text && $next?->is( T_OBJECT_OPERATOR ) ) {
		$isCall = '(' === ( $tokens[ $at + 3 ]->text ?? '' );
		return $isCall ? checkCall( $file, $file, $tokens[ $at + 2 ]->text, $at + 3 ) : array();
	}
	$isNew = $token->is( T_STRING ) && ( $tokens[ $at - 1 ] ?? null )?->is( T_NEW ) && 'self' !== $token->text;
	$isUse = $token->is( array( T_STRING, T_STATIC ) ) && $next?->is( T_DOUBLE_COLON );
	if ( ! $isNew && ! $isUse ) {
		return array();
	}
	$name  = resolveClass( $file, $token->text );
	$class = $classes[ $name ] ?? null;
	if ( ! $class ) {
		// A class of WordPress or of another plugin.
		return str_starts_with( $name, 'Pillion\\' ) ? array( $token->line => "There is no class $name." ) : array();
	}
	return $isNew ? checkCall( $file, $class, '__construct', $at + 1 ) : checkMember( $file, $class, $at );
}

/** Resolves the full name of a class. `parent` counts as the class itself: the parent may be a class of WordPress. */
function resolveClass( Source $file, string $name ): string {
	if ( in_array( $name, array( 'self', 'static', 'parent' ), true ) ) {
		return "$file->namespace\\$file->class";
	}
	return $file->uses[ $name ] ?? "$file->namespace\\$name";
}

/**
 * What is wrong with `Name::member`.
 *
 * @param int $at Of the name.
 * @return array<int, string>
 */
function checkMember( Source $file, Source $class, int $at ): array {
	$name   = $file->tokens[ $at ]->text;
	$member = $file->tokens[ $at + 2 ];
	if ( $member->is( T_STRING ) && '(' === ( $file->tokens[ $at + 3 ]->text ?? '' ) ) {
		return 'parent' === $name ? array() : checkCall( $file, $class, $member->text, $at + 3 );
	}
	if ( 'class' === $member->text ) {
		return checkCallback( $file, $class, $at );
	}
	if ( ! isset( $class->constants[ $member->text ] ) && null === $class->parent ) {
		return array( $member->line => "$name has no $member->text." );
	}
	$isForeign = $class !== $file && isset( $class->privates[ $member->text ] );
	return $isForeign ? array( $member->line => "$member->text of $name is private." ) : array();
}

/**
 * `array( X::class, 'name' )`.
 *
 * @return array<int, string>
 */
function checkCallback( Source $file, Source $class, int $at ): array {
	$tokens = $file->tokens;
	$name   = trim( $tokens[ $at + 4 ]->text ?? '', "'" );
	$isPair = ',' === ( $tokens[ $at + 3 ]->text ?? '' ) && ( $tokens[ $at + 4 ] ?? null )?->is( T_CONSTANT_ENCAPSED_STRING ) && ')' === ( $tokens[ $at + 5 ]->text ?? '' ) && '(' === ( $tokens[ $at - 1 ]->text ?? '' );
	if ( ! $isPair || null !== $class->parent ) {
		return array();
	}
	return isset( $class->methods[ $name ] ) ? array() : array( $tokens[ $at ]->line => "$class->class has no $name() to be called." );
}

/**
 * What is wrong with a call of a method.
 *
 * @param int $open Of the opening parenthesis, if there is one.
 * @return array<int, string>
 */
function checkCall( Source $file, Source $class, string $name, int $open ): array {
	$tokens = $file->tokens;
	$line   = $tokens[ $open ]->line;
	$method = $class->methods[ $name ] ?? null;
	if ( ! $method ) {
		$isElsewhere = null !== $class->parent || ( '__construct' === $name );
		return $isElsewhere ? array() : array( $line => "$class->class has no $name()." );
	}
	if ( $method->isPrivate && $class !== $file ) {
		return array( $line => "$name() of $class->class is private." );
	}
	if ( '(' !== $tokens[ $open ]->text ) {
		return array();
	}
	$arguments = splitArguments( $tokens, $open );
	$spread    = array_filter( $arguments, static fn( $argument ) => '...' === $argument[0]->text );
	$needed    = array_filter( $method->parameters, static fn( $parameter ) => ! $parameter->isOptional && ! $parameter->isVariadic );
	$variadic  = array_filter( $method->parameters, static fn( $parameter ) => $parameter->isVariadic );
	$given     = count( $arguments );
	if ( $spread || ( $given >= count( $needed ) && ( $variadic || $given <= count( $method->parameters ) ) ) ) {
		return array();
	}
	return array( $line => "$class->class::$name() takes " . count( $needed ) . ( count( $needed ) === count( $method->parameters ) ? '' : ' to ' . count( $method->parameters ) ) . " arguments but gets $given." );
}

/**
 * Output must be escaped where it is printed.
 * @param array<string, Source> $classes
 * @return array<int, string>
 */
function checkEscaping( Source $file, array $classes ): array {
	$found = array();
	foreach ( $file->tokens as $at => $token ) {
		$after = array_slice( $file->tokens, $at + 1 );
		if ( $token->is( array( T_ECHO, T_PRINT, T_OPEN_TAG_WITH_ECHO ) ) ) {
			$end = 0;
			for ( $depth = 0; isset( $after[ $end ] ) && ( $depth > 0 || ';' !== $after[ $end ]->text ); $end++ ) {
				$depth += depthChange( $after[ $end ] );
			}
			$parts = splitTokens( array_slice( $after, 0, $end ), ',' );
		} elseif ( $token->is( T_STRING ) && in_array( $token->text, array( 'printf', 'vprintf' ), true ) && '(' === ( $after[0]->text ?? '' ) ) {
			$parts = splitArguments( $after, 0 );
		} else {
			continue;
		}
		foreach ( $parts as $part ) {
			foreach ( findUnescaped( $file, $classes, $part ) as $line => $what ) {
				if ( ! $file->isIgnored( $line, ESCAPING ) ) {
					$found[ $line ] = "Printed without escaping: $what";
				}
			}
		}
	}
	return $found;
}

/**
 * @param array<string, Source> $classes
 * @param PhpToken[] $tokens Of an expression.
 * @return array<int, string> The parts that are not safe to print.
 */
function findUnescaped( Source $file, array $classes, array $tokens ): array {
	if ( ! $tokens ) {
		return array();
	}
	$choices = splitTokens( $tokens, '?' );
	if ( count( $choices ) > 1 ) {
		$rest = array_merge( ...array_map( static fn( $part ) => splitTokens( $part, ':' ), array_slice( $choices, 1 ) ) );
		return array_replace( array(), ...array_map( static fn( $part ) => findUnescaped( $file, $classes, $part ), $rest ) );
	}
	$pieces = splitTokens( $tokens, '.' );
	if ( count( $pieces ) > 1 ) {
		return array_replace( array(), ...array_map( static fn( $part ) => findUnescaped( $file, $classes, $part ), $pieces ) );
	}
	[ $first ] = $tokens;
	$second    = $tokens[1] ?? null;
	if ( '(' === $first->text ) {
		return findUnescaped( $file, $classes, array_slice( $tokens, 1, -1 ) );
	}
	$isConstant = 1 === count( $tokens ) && $first->is( array( T_CONSTANT_ENCAPSED_STRING, T_LNUMBER, T_DNUMBER, T_STRING ) );
	$isNumber   = $first->is( array( T_INT_CAST, T_DOUBLE_CAST ) );
	$isEscaped  = $first->is( T_STRING ) && '(' === $second?->text && in_array( $first->text, ESCAPES, true );
	$isOwn      = in_array( $first->text . '::' . ( $tokens[2]->text ?? '' ), OWN_ESCAPES, true );
	$isMember   = $second?->is( T_DOUBLE_COLON ) && 3 === count( $tokens ) && ! $tokens[2]->is( T_VARIABLE );
	$method     = $file->methods[ $tokens[2]->text ?? '' ] ?? null;
	$isNumeric  = in_array( $first->text, array( '$this', 'self' ), true ) && in_array( $method?->returns, array( 'int', 'float' ), true );
	return $isConstant || $isNumber || $isEscaped || $isOwn || $isMember || $isNumeric ? array() : array( $first->line => joinTokens( $tokens ) );
}

/**
 * Browser input is read in one class, which removes WordPress' slashes and rejects lists in place of texts.
 * @return array<int, string>
 */
function checkInput( Source $file ): array {
	$found = array();
	foreach ( $file->tokens as $token ) {
		if ( $token->is( T_VARIABLE ) && in_array( $token->text, SUPERGLOBALS, true ) && 'Pillion\Lib\Input' !== "$file->namespace\\$file->class" && ! $file->isIgnored( $token->line, INPUT ) ) {
			$found[ $token->line ] = "$token->text is read and written by Lib\\Input only.";
		}
	}
	return $found;
}

/**
 * A query may contain only table names and prepared parts.
 * @return array<int, string>
 */
function checkQueries( Source $file ): array {
	$found = array();
	foreach ( $file->methods as $method ) {
		$safe = findSafeVariables( $method );
		foreach ( $method->body as $at => $token ) {
			if ( '$wpdb' !== $token->text || ! in_array( $method->body[ $at + 2 ]->text ?? '', array( 'query', 'get_var', 'get_col', 'get_row', 'get_results', 'prepare' ), true ) ) {
				continue;
			}
			[ $query ] = splitArguments( $method->body, $at + 3 ) + array( array() );
			foreach ( findUnprepared( $query, $safe ) as $what ) {
				if ( ! $file->isIgnored( $token->line, SQL ) ) {
					$found[ $token->line ] = "In a query without prepare(): $what";
				}
			}
		}
	}
	return $found;
}

/** @return string[] Variables that contain a table's name or a query of safe parts. */
function findSafeVariables( Method $method ): array {
	$safe = array( '$wpdb' );
	foreach ( $method->body as $at => $token ) {
		if ( $token->is( T_VARIABLE ) && '=' === ( $method->body[ $at + 1 ]->text ?? '' ) ) {
			$end = $at + 2;
			while ( ';' !== $method->body[ $end ]->text ) {
				++$end;
			}
			$value = array_slice( $method->body, $at + 2, $end - $at - 2 );
			if ( ! findUnprepared( $value, $safe ) ) {
				$safe[] = $token->text;
			}
		}
	}
	return $safe;
}

/**
 * @param PhpToken[] $tokens Of an expression.
 * @param string[] $safe Variables that it may contain.
 * @return string[]
 */
function findUnprepared( array $tokens, array $safe ): array {
	$pieces = splitTokens( $tokens, '.' );
	if ( count( $pieces ) > 1 ) {
		return array_merge( ...array_map( static fn( $piece ) => findUnprepared( $piece, $safe ), $pieces ) );
	}
	$text = joinTokens( $tokens );
	// A result of prepare(), a table name, or a condition that a method of the class prepares.
	if ( preg_match( '/^(\$wpdb -> prepare \(|(self|\w+) :: (table|where) \(|\$wpdb -> (\w+$|get_charset_collate)|\\\\?\w+(\\\\\w+)* :: get_\w+_table_name)/', $text ) ) {
		return array();
	}
	$variables = array_filter( $tokens, static fn( $token ) => $token->is( T_VARIABLE ) && ! in_array( $token->text, $safe, true ) );
	$calls     = array_filter( $tokens, static fn( $token, $at ) => $token->is( T_STRING ) && '(' === ( $tokens[ $at + 1 ]->text ?? '' ), ARRAY_FILTER_USE_BOTH );
	return $variables || $calls ? array( $text ) : array();
}

/**
 * A handler that saves form data must first check the capability and the nonce.
 * @return array<int, string>
 */
function checkHandlers( Source $file ): array {
	$found = array();
	foreach ( $file->methods as $method ) {
		$text = joinTokens( $method->body );
		if ( str_contains( $text, 'register_rest_route (' ) && ! str_contains( $text, "'permission_callback'" ) && ! preg_match( '/register_rest_route \([^;]*KeyRules :: /', $text ) ) {
			$found[ $method->line ] = "$method->name() registers a route without a permission_callback.";
		}
		if ( ! preg_match_all( '/add_action \( (?:\'(?:admin_post_|load-|save_post|wp_ajax_|admin_init)[^,]*|"(?:load-|admin_post_)[^,]*|\$\w+[^,]*|\'load-\' [^,]*), array \( \$this , \'(\w+)\'/', $text, $hooked ) ) {
			continue;
		}
		foreach ( $hooked[1] as $name ) {
			$flow = isset( $file->methods[ $name ] ) ? inlineMethods( $file, $name ) : '';
			if ( ! preg_match( '/Input :: (posted|query)/', $flow ) || ! preg_match( '/\b(' . implode( '|', WRITES ) . ') \(|:: (save|create|revoke|delete|remove|remove_all|duplicate|send|send_test|request|save_submitted) \(|\$wpdb -> (insert|update|delete)/', $flow, $write, PREG_OFFSET_CAPTURE ) ) {
				continue;
			}
			$before = substr( $flow, 0, $write[0][1] );
			$line   = $file->methods[ $name ]->line;
			if ( $file->isIgnored( $line, NONCE ) ) {
				continue;
			}
			if ( ! preg_match( '/check_admin_referer|check_ajax_referer|wp_verify_nonce/', $before ) ) {
				$found[ $line ] = "$name() saves before it checks a nonce.";
			} elseif ( ! str_contains( $before, 'current_user_can' ) ) {
				$found[ $line ] = "$name() saves before it checks current_user_can().";
			}
		}
	}
	return $found;
}

/**
 * A method's code with the methods of its class inlined where they are called.
 * @param string[] $within Methods that are already being inlined.
 */
function inlineMethods( Source $file, string $name, array $within = array() ): string {
	$out = array();
	foreach ( $file->methods[ $name ]->body as $at => $token ) {
		$before = $at > 1 ? $file->methods[ $name ]->body[ $at - 1 ]->text : '';
		$isCall = $token->is( T_STRING ) && in_array( $before, array( '->', '::' ), true ) && in_array( $file->methods[ $name ]->body[ $at - 2 ]->text, array( '$this', 'self' ), true );
		$out[]  = $isCall && isset( $file->methods[ $token->text ] ) && ! in_array( $token->text, array( ...$within, $name ), true ) ? inlineMethods( $file, $token->text, array( ...$within, $name ) ) : $token->text;
	}
	return implode( ' ', $out );
}
