<?php
/**
 * Shows the campaigns of a sign-up in Gravity Forms: a box at the entry, columns of the list and the export, and merge
 * tags (`{last_campaign:utm_source}`). Form Settings → Personal Data lists them with what can be exported and erased.
 *
 * @see https://docs.gravityforms.com/gform_entry_meta
 * @see https://docs.gravityforms.com/gform_entry_detail_meta_boxes
 * @see https://docs.gravityforms.com/gform_replace_merge_tags
 * @see https://docs.gravityforms.com/gform_custom_merge_tags
 * @see https://docs.gravityforms.com/gform_personal_data
 */

namespace Pillion\Forms\Gravity;

defined( 'ABSPATH' ) || exit;

use Pillion\Forms\Attribution;

final class GravityAttribution {
	public function register(): void {
		add_filter( 'gform_entry_meta', array( $this, 'add_columns' ) );
		add_filter( 'gform_entry_detail_meta_boxes', array( $this, 'add_box' ), 10, 2 );
		add_filter( 'gform_custom_merge_tags', array( $this, 'add_merge_tags' ) );
		add_filter( 'gform_replace_merge_tags', array( $this, 'replace_merge_tags' ), 10, 7 );
		add_filter( 'gform_personal_data', array( $this, 'add_personal_data' ) );
	}

	/**
	 * Stores the campaigns at an entry: all of them as JSON, and those that Gravity Forms lists and exports also as columns.
	 *
	 * @param string $json As the site sent them.
	 */
	public static function store_campaigns( string $json, int $entry_id, int $form_id ): void {
		$campaigns = Attribution::decode( $json );
		if ( ! $campaigns ) {
			return;
		}
		gform_update_meta( $entry_id, Attribution::FIELD, wp_json_encode( $campaigns ), $form_id );
		foreach ( $campaigns as $touch => $values ) {
			foreach ( array_intersect_key( $values, array_flip( Attribution::COLUMNS ) ) as $name => $value ) {
				gform_update_meta( $entry_id, self::column_key( $touch, $name ), $value, $form_id );
			}
		}
	}

	private static function column_key( string $touch, string $name ): string {
		return "pillion_{$touch}_$name";
	}

	public function add_columns( $meta ) {
		foreach ( self::columns() as list( $touch, $name, $label ) ) {
			$meta[ self::column_key( $touch, $name ) ] = array(
				'label'             => $label,
				'is_numeric'        => false,
				'is_default_column' => false,
				'filter'            => array( 'operators' => array( 'is', 'isnot', 'contains' ) ),
			);
		}
		return $meta;
	}

	/** @return array<int, array{0: string, 1: string, 2: string}> Touch, parameter and label of each column. */
	private static function columns(): array {
		$columns = array();
		foreach ( Attribution::touches() as $touch => $label ) {
			foreach ( Attribution::COLUMNS as $name ) {
				$columns[] = array( $touch, $name, "$label: $name" );
			}
		}
		return $columns;
	}

	public function add_box( $boxes, $entry ) {
		$rows = Attribution::to_rows( gform_get_meta( (int) $entry['id'], Attribution::FIELD ) );
		if ( $rows ) {
			$boxes[ Attribution::FIELD ] = array(
				'title'    => __( 'Campaign', 'pillion' ),
				'context'  => 'normal',
				'callback' => static function () use ( $rows ): void {
					echo '<table class="widefat striped">';
					Attribution::render( $rows );
					echo '</table>';
				},
			);
		}
		return $boxes;
	}

	public function add_personal_data( $items ) {
		$items[ Attribution::FIELD ] = array(
			'label'             => __( 'Campaign', 'pillion' ),
			'exporter_callback' => array( self::class, 'export' ),
			'eraser_callback'   => array( self::class, 'erase' ),
		);
		return $items;
	}

	/** @return array{name: string, value: string} */
	public static function export( $form, array $entry ): array {
		$lines = array();
		foreach ( Attribution::to_rows( gform_get_meta( (int) $entry['id'], Attribution::FIELD ) ) as list( $label, $value ) ) {
			$lines[] = "$label: $value";
		}
		return array(
			'name'  => __( 'Campaign', 'pillion' ),
			'value' => esc_html( implode( '; ', $lines ) ),
		);
	}

	public static function erase( $form, array $entry ): void {
		gform_delete_meta( (int) $entry['id'], Attribution::FIELD );
		foreach ( self::columns() as list( $touch, $name ) ) {
			gform_delete_meta( (int) $entry['id'], self::column_key( $touch, $name ) );
		}
	}

	/**
	 * @param array<int, array<string, string>> $tags
	 * @return array<int, array<string, string>>
	 */
	public function add_merge_tags( $tags ) {
		foreach ( self::columns() as list( $touch, $name, $label ) ) {
			$tags[] = array(
				'label' => $label,
				'tag'   => "{{$touch}_campaign:$name}",
			);
		}
		return $tags;
	}

	/**
	 * Replaces tags such as `{last_campaign:utm_source}` with the values of the entry.
	 *
	 * @param string $text
	 * @param mixed  $entry      False while Gravity Forms shows a form: the values are empty.
	 * @param bool   $url_encode
	 * @param bool   $esc_html
	 * @param bool   $nl2br
	 * @param string $format
	 * @return string
	 */
	public function replace_merge_tags( $text, $form, $entry, $url_encode, $esc_html, $nl2br = true, $format = 'html' ) {
		if ( ! is_string( $text ) || false === strpos( $text, '_campaign:' ) ) {
			return $text;
		}
		$campaigns = is_array( $entry ) && isset( $entry['id'] ) ? Attribution::decode( gform_get_meta( (int) $entry['id'], Attribution::FIELD ) ) : array();
		return (string) preg_replace_callback(
			'/\{(first|last)_campaign:([a-z0-9_]+)\}/',
			static function ( array $matches ) use ( $campaigns, $url_encode, $esc_html, $format ): string {
				list( , $touch, $parameter ) = $matches;
				// Gravity Forms runs shortcodes and further merge tags in the result, and the value comes from an address.
				$value = str_replace( array( '[', ']', '{', '}' ), '', $campaigns[ $touch ][ $parameter ] ?? '' );
				if ( $url_encode ) {
					return rawurlencode( $value );
				}
				return $esc_html || 'html' === $format ? esc_html( $value ) : $value;
			},
			$text
		);
	}
}
