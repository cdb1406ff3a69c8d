<?php
/**
 * What is wrong with a form as it was typed. Each message names the field it is about; nothing wrong is stored.
 */

namespace Pillion\Forms;

/**
 * @phpstan-import-type Typed from FieldInput
 */
final class FormProblems {
	/** More fields than a visitor ever fills in, and than many servers take in one go. */
	const MOST_FIELDS = 60;

	/**
	 * @param array<string, mixed> $typed Of the whole screen.
	 * @return array<string, string> By the path of the control: `title`, `fields.3.label`.
	 */
	public static function find( array $typed ): array {
		$fields   = FieldInput::rows( $typed['fields'] ?? null );
		$problems = self::of_form( $typed ) + self::of_thanks( (array) ( $typed['thanks'] ?? array() ) ) + self::of_fields( $fields );
		foreach ( $fields as $key => $field ) {
			foreach ( self::of_field( $field, $fields ) as $setting => $problem ) {
				$problems[ "fields.$key.$setting" ] = self::named( $field ) . ' ' . $problem;
			}
		}
		return $problems;
	}

	/**
	 * @param array<string, mixed> $typed
	 * @return array<string, string>
	 */
	private static function of_form( array $typed ): array {
		$problems = array();
		if ( '' === FieldInput::text( $typed, 'title' ) ) {
			$problems['title'] = __( 'Name of the form: it needs one, so that you find it again.', 'pillion' );
		}
		if ( '' === FieldInput::text( $typed, 'submit' ) ) {
			$problems['submit'] = __( 'Button: write what it says, “Join” for instance.', 'pillion' );
		}
		foreach ( Notification::addresses( FieldInput::text( $typed, 'notify' ) ) as $address ) {
			if ( ! Notification::is_address( $address ) ) {
				/* translators: %s: what was typed */
				$problems['notify'] = sprintf( __( 'Notification: “%s” is no email address.', 'pillion' ), $address );
			}
		}
		return $problems;
	}

	/**
	 * @param array<string, mixed> $thanks
	 * @return array<string, string>
	 */
	private static function of_thanks( array $thanks ): array {
		$type = $thanks['type'] ?? 'message';
		if ( 'page' === $type && 'publish' !== get_post_status( (int) ( $thanks['pageId'] ?? 0 ) ) ) {
			return array( 'thanks.pageId' => __( 'After sign-up: choose a page that is published.', 'pillion' ) );
		}
		$url = FieldInput::text( $thanks, 'url' );
		if ( 'redirect' === $type && ! preg_match( '#^(?:https?://[^\s/]+|/(?!/))\S*$#', $url ) ) {
			return array( 'thanks.url' => __( 'After sign-up: an address begins with https:// or, on this site, with /.', 'pillion' ) );
		}
		if ( 'message' === $type && '' === FieldInput::text( $thanks, 'message' ) ) {
			return array( 'thanks.message' => __( 'After sign-up: write what the visitor reads.', 'pillion' ) );
		}
		return array();
	}

	/**
	 * @param array<int|string, Typed> $fields
	 * @return array<string, string>
	 */
	private static function of_fields( array $fields ): array {
		$asking = array_filter( $fields, array( self::class, 'asks' ) );
		if ( ! $asking ) {
			return array( 'fields' => __( 'Fields: a form needs at least one that asks something.', 'pillion' ) );
		}
		if ( count( $fields ) > self::MOST_FIELDS ) {
			/* translators: %d: a number */
			return array( 'fields' => sprintf( __( 'Fields: at most %d fit into one form.', 'pillion' ), self::MOST_FIELDS ) );
		}
		$ids = array_map( 'intval', wp_list_pluck( $fields, 'id' ) );
		if ( count( array_unique( $ids ) ) < count( $ids ) || min( $ids ) < 1 ) {
			return array( 'fields' => __( 'Fields: two of them have the same number. Remove one, and add it anew.', 'pillion' ) );
		}
		return array();
	}

	/**
	 * @param Typed $field
	 */
	private static function asks( array $field ): bool {
		return FieldTypes::asks( $field['type'] ?? '' );
	}

	/**
	 * @param Typed                    $field
	 * @param array<int|string, Typed> $fields All of the form.
	 * @return array<string, string> By setting.
	 */
	private static function of_field( array $field, array $fields ): array {
		$settings = FieldTypes::row( $field['type'] ?? '' )['settings'] ?? array();
		$problems = array();
		if ( '' === FieldInput::text( $field, 'label' ) && self::asks( $field ) ) {
			$problems['label'] = __( 'it needs a label, which is what visitors read.', 'pillion' );
		}
		foreach ( $settings as $setting ) {
			$problem = self::of_setting( $setting, $field );
			if ( null !== $problem ) {
				$problems[ $setting ] = $problem;
			}
		}
		return $problems + self::of_logic( $field, $fields );
	}

	/**
	 * @param Typed $field
	 */
	private static function of_setting( string $setting, array $field ): ?string {
		$text = FieldInput::text( $field, $setting );
		if ( mb_strlen( $text ) > FieldSettings::LIMIT ) {
			/* translators: %d: a number */
			return sprintf( __( 'at most %d characters fit into a setting.', 'pillion' ), FieldSettings::LIMIT );
		}
		$options = FieldSettings::options( $setting );
		if ( $options && ! isset( $options[ $text ] ) ) {
			return __( 'choose one of the options.', 'pillion' );
		}
		if ( in_array( $setting, FieldSettings::NUMBERS, true ) ) {
			return self::of_number( $setting, $text, $field );
		}
		switch ( $setting ) {
			case 'choices':
				return self::of_choices( $field );
			case 'parts':
				return empty( $field['parts'] ) ? __( 'at least one part has to be asked for.', 'pillion' ) : null;
			case 'defaultValue':
				return '' === $text ? null : self::of_default( $text, $field );
			case 'inputName':
				return preg_match( '/^[\w-]{0,60}$/', $text ) ? null : __( 'the name in the address is made of letters, digits, - and _.', 'pillion' );
			case 'allowedExtensions':
				return preg_match( '/^\.?[a-z0-9]{1,10}(?:\s*,\s*\.?[a-z0-9]{1,10})*$/i', $text ) ? null : __( 'list the kinds of file that may be sent, with commas: pdf, jpg.', 'pillion' );
			case 'content':
				return '' === $text ? __( 'write the text that stands between the fields.', 'pillion' ) : null;
		}
		return null;
	}

	/**
	 * @param Typed $field
	 */
	private static function of_number( string $setting, string $text, array $field ): ?string {
		if ( '' === $text ) {
			return null;
		}
		if ( ! is_numeric( $text ) ) {
			return __( 'a limit is a number, like 10 or 2.5.', 'pillion' );
		}
		if ( 'maxLength' === $setting && ( $text < 1 || $text > FormAnswers::LIMIT || (int) $text != $text ) ) {
			/* translators: %d: a number */
			return sprintf( __( 'the longest answer is a whole number from 1 to %d.', 'pillion' ), FormAnswers::LIMIT );
		}
		if ( 'maxFileSize' === $setting && $text <= 0 ) {
			return __( 'the largest file is a number of megabytes above 0.', 'pillion' );
		}
		$least = FieldInput::text( $field, 'rangeMin' );
		if ( 'rangeMax' === $setting && is_numeric( $least ) && $text < $least ) {
			return __( 'the largest number is smaller than the smallest.', 'pillion' );
		}
		return null;
	}

	/**
	 * @param Typed $field
	 */
	private static function of_choices( array $field ): ?string {
		$values = array_column( FieldInput::choices( FieldInput::text( $field, 'choices' ) ), 'value' );
		if ( ! $values ) {
			return __( 'it needs at least one choice.', 'pillion' );
		}
		$twice = array_unique( array_diff_assoc( $values, array_unique( $values ) ) );
		/* translators: %s: a choice */
		return $twice ? sprintf( __( 'the choice “%s” is there twice.', 'pillion' ), reset( $twice ) ) : null;
	}

	/**
	 * @param Typed $field
	 */
	private static function of_default( string $text, array $field ): ?string {
		if ( FieldTypes::has_choices( $field['type'] ) ) {
			$values  = array_column( FieldInput::choices( FieldInput::text( $field, 'choices' ) ), 'value' );
			$unknown = array_diff( FieldInput::chosen( $field ), $values );
			/* translators: %s: what was typed */
			return $unknown ? sprintf( __( 'it begins with “%s”, which is not among its choices.', 'pillion' ), reset( $unknown ) ) : null;
		}
		$begins = FieldTypes::row( $field['type'] )['begins'] ?? null;
		return $begins ? call_user_func( $begins, $text ) : null;
	}

	public static function of_default_email( string $text ): ?string {
		return is_email( $text ) ? null : __( 'it begins with what is no email address.', 'pillion' );
	}

	public static function of_default_number( string $text ): ?string {
		return is_numeric( str_replace( ',', '.', $text ) ) ? null : __( 'it begins with what is no number.', 'pillion' );
	}

	/**
	 * @param Typed                    $field
	 * @param array<int|string, Typed> $fields
	 * @return array<string, string>
	 */
	private static function of_logic( array $field, array $fields ): array {
		$by_id    = array_column( $fields, null, 'id' );
		$problems = array();
		foreach ( FieldInput::rules( $field ) as $key => $rule ) {
			$other   = $by_id[ (int) $rule['fieldId'] ] ?? null;
			$problem = null;
			if ( ! $other || ! FieldTypes::decides( $other['type'] ?? '' ) ) {
				$problem = __( 'a condition names no field that is asked. Choose one, or remove the condition.', 'pillion' );
			} elseif ( (string) $other['id'] === (string) $field['id'] ) {
				$problem = __( 'a condition cannot depend on the field itself.', 'pillion' );
			} elseif ( ! in_array( $rule['operator'], FieldInput::OPERATORS, true ) ) {
				$problem = __( 'choose how a condition compares.', 'pillion' );
			} elseif ( in_array( $rule['operator'], array( '>', '<' ), true ) && ! is_numeric( str_replace( ',', '.', $rule['value'] ) ) ) {
				$problem = __( 'larger and smaller compare with a number.', 'pillion' );
			} else {
				$problem = self::of_compared( $rule, $other );
			}
			if ( null !== $problem ) {
				$problems[ "logic.rules.$key.value" ] = $problem;
			}
		}
		return $problems;
	}

	/**
	 * @param array{fieldId: string, operator: string, value: string} $rule
	 * @param Typed                                                   $other
	 */
	private static function of_compared( array $rule, array $other ): ?string {
		if ( '' === $rule['value'] || ! in_array( $rule['operator'], array( 'is', 'isnot' ), true ) || ! FieldTypes::has_choices( $other['type'] ) ) {
			return null;
		}
		$values = array_map( 'mb_strtolower', array_column( FieldInput::choices( FieldInput::text( $other, 'choices' ) ), 'value' ) );
		if ( in_array( mb_strtolower( $rule['value'] ), $values, true ) ) {
			return null;
		}
		/* translators: 1: what was typed, 2: label of a field */
		return sprintf( __( 'a condition waits for “%1$s”, which is no choice of “%2$s”.', 'pillion' ), $rule['value'], FieldInput::text( $other, 'label' ) );
	}

	/**
	 * @param Typed $field
	 * @return string “Topic” (Drop down):
	 */
	private static function named( array $field ): string {
		$type = FieldTypes::row( $field['type'] ?? '' )['name'] ?? (string) ( $field['type'] ?? '' );
		return '“' . FieldTypes::label( $field ) . "” ($type):";
	}
}
