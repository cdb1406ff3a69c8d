<?php
/**
 * Adds sign-ups to WordPress' tools that export and erase the personal data of an email address.
 */

namespace Pillion\Forms\Entries;

defined( 'ABSPATH' ) || exit;

final class EntriesPrivacy {
	/** Sign-ups per call. */
	const BATCH = 50;

	public function register(): void {
		add_filter( 'wp_privacy_personal_data_exporters', array( $this, 'add_exporter' ) );
		add_filter( 'wp_privacy_personal_data_erasers', array( $this, 'add_eraser' ) );
	}

	/**
	 * @param array<string, array<string, mixed>> $exporters
	 * @return array<string, array<string, mixed>>
	 */
	public function add_exporter( array $exporters ): array {
		$exporters['pillion-sign-ups'] = array(
			'exporter_friendly_name' => __( 'Sign-ups', 'pillion' ),
			'callback'               => array( $this, 'export' ),
		);
		return $exporters;
	}

	/**
	 * @param array<string, array<string, mixed>> $erasers
	 * @return array<string, array<string, mixed>>
	 */
	public function add_eraser( array $erasers ): array {
		$erasers['pillion-sign-ups'] = array(
			'eraser_friendly_name' => __( 'Sign-ups', 'pillion' ),
			'callback'             => array( $this, 'erase' ),
		);
		return $erasers;
	}

	/** @return array{data: array<int, mixed>, done: bool} */
	public function export( string $email, int $page = 1 ): array {
		$ids  = self::ids_of( $email, $page );
		$data = array();
		foreach ( $ids as $id ) {
			$items = array();
			foreach ( array_merge( Entries::answers( $id ), Entries::campaigns( $id ) ) as list( $label, $value ) ) {
				$items[] = array(
					'name'  => $label,
					'value' => $value,
				);
			}
			$items[] = array(
				'name'  => __( 'Date', 'pillion' ),
				'value' => (string) get_post_time( 'c', false, $id ),
			);
			$data[]  = array(
				'group_id'    => 'pillion-sign-ups',
				'group_label' => __( 'Sign-ups', 'pillion' ),
				'item_id'     => "pillion-sign-up-$id",
				'data'        => $items,
			);
		}
		return array(
			'data' => $data,
			'done' => count( $ids ) < self::BATCH,
		);
	}

	/** @return array{items_removed: bool, items_retained: bool, messages: string[], done: bool} */
	public function erase( string $email ): array {
		// Erased sign-ups leave the query, so page 1 holds the next ones. A sign-up that cannot be erased ends the run.
		$ids        = self::ids_of( $email, 1 );
		$removed    = count( array_filter( $ids, static fn( int $id ): bool => (bool) wp_delete_post( $id, true ) ) );
		$has_failed = $removed < count( $ids );
		return array(
			'items_removed'  => $removed > 0,
			'items_retained' => $has_failed,
			'messages'       => $has_failed ? array( __( 'A sign-up could not be deleted. Delete it in the list of sign-ups.', 'pillion' ) ) : array(),
			'done'           => $has_failed || count( $ids ) < self::BATCH,
		);
	}

	/** @return int[] Sign-ups with an email address, also those in the trash. */
	private static function ids_of( string $email, int $page ): array {
		return get_posts(
			array(
				'post_type'   => Entries::TYPE,
				'post_status' => array( 'private', 'trash' ),
				'meta_key'    => Entries::EMAIL,
				'meta_value'  => strtolower( trim( $email ) ),
				'fields'      => 'ids',
				'numberposts' => self::BATCH,
				'paged'       => $page,
				'orderby'     => 'ID',
				'order'       => 'ASC',
			)
		);
	}
}
