<?php
/**
 * Functions for a site's `content.php`: sections as blocks, and form 1.
 */

namespace Pillion\Seed;

defined( 'ABSPATH' ) || exit;

/** @return array<string, mixed> The block of a question. An empty line in the answer starts a paragraph. */
function question( string $question, string $answer ): array {
	return section( 'question', compact( 'question', 'answer' ) );
}

/** Markup of a drawing in the seed's folder; empty if the file is missing. */
function drawing( string $name ): string {
	$file = seed_folder() . "/$name.svg";
	return is_file( $file ) ? trim( (string) file_get_contents( $file ) ) : '';
}

/**
 * @param array<string, string> $pairs
 * @return array<int, array{label: string, value: string}>
 */
function rows( array $pairs ): array {
	$rows = array();
	foreach ( $pairs as $label => $value ) {
		$rows[] = compact( 'label', 'value' );
	}
	return $rows;
}

/**
 * @param array<string, mixed> $attributes
 * @param array<int, mixed>    $inner
 * @return array<string, mixed> A block for serialize_blocks().
 */
function section( string $name, array $attributes = array(), array $inner = array() ): array {
	return array(
		'blockName'    => "pillion/$name",
		'attrs'        => $attributes,
		'innerBlocks'  => $inner,
		'innerHTML'    => '',
		'innerContent' => array_fill( 0, count( $inner ), null ),
	);
}

/**
 * Form 1, in the format of Gravity Forms.
 *
 * @return array<string, mixed>
 */
function form(): array {
	$texts  = form_texts();
	$field  = static function ( int $id, string $type, string $label, array $more = array() ): array {
		return $more + array(
			'id'               => $id,
			'formId'           => 1,
			'type'             => $type,
			'label'            => $label,
			'adminLabel'       => '',
			'isRequired'       => true,
			'size'             => 'large',
			'errorMessage'     => '',
			'visibility'       => 'visible',
			'inputs'           => null,
			'description'      => '',
			'placeholder'      => '',
			'cssClass'         => '',
			'defaultValue'     => '',
			'choices'          => '',
			'conditionalLogic' => '',
			'pageNumber'       => 1,
		);
	};
	$agreed = array(
		'checkboxLabel' => $texts['consent'],
		'inputs'        => array(
			array(
				'id'    => '3.1',
				'label' => 'Consent',
				'name'  => '',
			),
			array(
				'id'       => '3.2',
				'label'    => 'Text',
				'name'     => '',
				'isHidden' => true,
			),
			array(
				'id'       => '3.3',
				'label'    => 'Description',
				'name'     => '',
				'isHidden' => true,
			),
		),
		'choices'       => array(
			array(
				'text'       => 'Checked',
				'value'      => '1',
				'isSelected' => false,
				'price'      => '',
			),
		),
	);
	return array(
		'id'                => 1,
		'title'             => $texts['title'],
		'description'       => '',
		'labelPlacement'    => 'top_label',
		'button'            => array(
			'type' => 'text',
			'text' => $texts['button'],
		),
		'fields'            => array(
			$field( 1, 'text', 'Name' ),
			$field( 2, 'email', 'Email' ),
			$field( 3, 'consent', 'Consent', $agreed ),
		),
		'enableHoneypot'    => true,
		'requiredIndicator' => 'text',
		'is_active'         => '1',
		'is_trash'          => '0',
		'nextFieldId'       => 4,
		'confirmations'     => array(
			'default' => array(
				'id'          => 'default',
				'name'        => 'Default Confirmation',
				'isDefault'   => true,
				'type'        => 'message',
				'message'     => $texts['thanks'],
				'url'         => '',
				'pageId'      => 0,
				'queryString' => '',
			),
		),
		'notifications'     => array(),
	);
}
