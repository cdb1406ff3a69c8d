<?php
/**
 * A list of findings: the state of each, and what to do about it.
 */

namespace Pillion\Site;

defined( 'ABSPATH' ) || exit;

/** @phpstan-import-type Finding from SelfCheck */
final class FindingsList {
	/** @param Finding[] $findings */
	public static function render( array $findings ): void {
		$group = '';
		echo '<ul class="pillion-findings">';
		foreach ( $findings as $finding ) {
			if ( $finding['group'] !== $group ) {
				$group = $finding['group'];
				echo '<li class="pillion-findings-group"><h3>' . esc_html( $group ) . '</h3></li>';
			}
			self::render_one( $finding );
		}
		echo '</ul>';
	}

	/** @param Finding $finding */
	private static function render_one( array $finding ): void {
		list( $word, $icon ) = self::states()[ $finding['state'] ] ?? self::states()['unasked'];
		echo '<li class="pillion-finding" data-state="' . esc_attr( $finding['state'] ) . '">';
		echo '<span class="pillion-finding-state"><span class="dashicons dashicons-' . esc_attr( $icon ) . '" aria-hidden="true"></span> ' . esc_html( $word ) . '</span> ';
		echo '<strong class="pillion-finding-name">' . esc_html( $finding['name'] ) . '</strong> ';
		echo '<span class="pillion-finding-says">' . esc_html( $finding['says'] );
		echo '' === $finding['todo'] ? '' : '<br><span class="pillion-finding-todo">' . esc_html( $finding['todo'] ) . '</span>';
		echo '</span></li>';
	}

	/** @return array<string, array{0: string, 1: string}> Word and icon. */
	private static function states(): array {
		return array(
			'ok'      => array( __( 'Works', 'pillion' ), 'yes-alt' ),
			'warning' => array( __( 'Warning', 'pillion' ), 'warning' ),
			'broken'  => array( __( 'Broken', 'pillion' ), 'dismiss' ),
			'unasked' => array( __( 'Not checked', 'pillion' ), 'minus' ),
		);
	}

	/**
	 * @param Finding[] $findings
	 * @return string One sentence about all findings.
	 */
	public static function summary( array $findings ): string {
		$states  = array_count_values( array_column( $findings, 'state' ) ) + array( 'broken' => 0, 'warning' => 0 );
		$broken  = $states['broken'];
		$warning = $states['warning'];
		if ( ! $broken && ! $warning ) {
			return __( 'No problems found.', 'pillion' );
		}
		$parts = array();
		if ( $broken ) {
			/* translators: %d: a number. */
			$parts[] = sprintf( _n( '%d error', '%d errors', $broken, 'pillion' ), $broken );
		}
		if ( $warning ) {
			/* translators: %d: a number. */
			$parts[] = sprintf( _n( '%d warning', '%d warnings', $warning, 'pillion' ), $warning );
		}
		return implode( ', ', $parts ) . '.';
	}
}
