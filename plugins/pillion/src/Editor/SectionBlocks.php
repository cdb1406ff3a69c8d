<?php
/**
 * Registers the declared sections and items as blocks of the editor.
 */

namespace Pillion\Editor;

defined( 'ABSPATH' ) || exit;

final class SectionBlocks {

	/** WordPress 6.1 reads version 3, which the framed editor needs, as 2. */
	const API_VERSION = 3;

	/** Kinds of field that WordPress does not treat as content, because visitors do not read them. */
	const SETTINGS = array( 'form', 'drawing' );

	/** Registers all blocks as dynamic blocks, because the site reads the block tree itself. */
	public static function register(): void {
		foreach ( Declarations::blocks() as $name => $declaration ) {
			register_block_type( $name, self::settings( $declaration ) );
		}
	}

	/** Settings of a block for register_block_type(). */
	private static function settings( array $declaration ): array {
		$declaration = Declarations::translate_texts( $declaration );

		$items    = self::items( $declaration );
		$settings = array(
			'api_version'           => self::API_VERSION,
			'title'                 => $declaration['title'],
			'description'           => $declaration['description'],
			'category'              => 'pillion',
			'icon'                  => $declaration['icon'] ?? 'block-default',
			'keywords'              => $declaration['keywords'] ?? array(),
			'textdomain'            => 'pillion',
			'attributes'            => self::attributes( $declaration['fields'] ),
			'supports'              => self::supports( $declaration ),
			'example'               => self::example( $declaration, $items ),
			'editor_script_handles' => array( Sections::ASSET ),
			'editor_style_handles'  => array( Sections::ASSET ),
			'render_callback'       => array( SectionFallback::class, 'render' ),
		);
		if ( isset( $declaration['parent'] ) ) {
			$settings['parent'] = array( 'pillion/' . $declaration['parent'] );
		}
		if ( $items ) {
			// A section has at most one list (decision 034).
			$settings['allowed_blocks'] = array( 'pillion/' . current( $items ) );
		}
		return $settings;
	}

	/** @return array<string, string> Name of the item of a section's list, by member; empty if the section has no list. */
	private static function items( array $declaration ): array {
		$items = array();
		foreach ( $declaration['fields'] as $member => $field ) {
			if ( 'list' === $field['kind'] ) {
				$items[ $member ] = $field['of'];
			}
		}
		return $items;
	}

	/** @param array<string, array> $fields Items are inner blocks instead of attributes. */
	private static function attributes( array $fields ): array {
		$attributes = array();
		foreach ( $fields as $member => $field ) {
			if ( 'list' !== $field['kind'] ) {
				$attributes[ $member ] = self::attribute( $field['kind'] );
			}
			if ( 'picture' === $field['kind'] ) {
				$attributes[ SectionFields::focal_point_of( $member ) ] = array( 'type' => 'object' );
			}
		}
		return $attributes;
	}

	/** The block attribute for a kind of field, with its empty value. */
	private static function attribute( string $kind ): array {
		switch ( $kind ) {
			case 'picture':
			case 'film':
			case 'form':
				$attribute = array( 'type' => 'integer', 'default' => 0 );
				break;
			case 'rows':
				$attribute = array( 'type' => 'array', 'default' => array(), 'items' => array( 'type' => 'object' ) );
				break;
			default:
				$attribute = array( 'type' => 'string', 'default' => '' );
		}
		return in_array( $kind, self::SETTINGS, true ) ? $attribute : $attribute + array( 'role' => 'content' );
	}

	/** Editor features of a block. All content is in fields, so there is no HTML mode and no CSS class. */
	private static function supports( array $declaration ): array {
		$supports = array( 'html' => false, 'className' => false, 'customClassName' => false );
		if ( ! empty( $declaration['isSingle'] ) ) {
			$supports['multiple'] = false;
		}
		if ( isset( $declaration['parent'] ) ) {
			$supports['reusable'] = false;
		}
		return $supports;
	}

	/**
	 * Example for the preview in the inserter.
	 *
	 * @param array<string, string> $items As from items().
	 */
	private static function example( array $declaration, array $items ): array {
		$values  = $declaration['example'] ?? array();
		$example = array( 'attributes' => array_diff_key( $values, $items ) );
		foreach ( $items as $member => $item ) {
			foreach ( $values[ $member ] ?? array() as $attributes ) {
				$example['innerBlocks'][] = array( 'name' => "pillion/$item", 'attributes' => $attributes );
			}
		}
		return array_filter( $example );
	}
}
