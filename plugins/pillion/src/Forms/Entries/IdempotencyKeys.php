<?php
/**
 * Prevents that one sign-up becomes two entries. The site repeats a sign-up under the same id until it gets a response,
 * so the id is the primary key of the table `pillion_intake`.
 *
 * A row holds the state of its sign-up: storing, stored or done. The request that holds the token of the row works on
 * it. The entry and its row are stored in one transaction, which fails if another request has taken over the row.
 */

namespace Pillion\Forms\Entries;

defined( 'ABSPATH' ) || exit;

use WP_Error;

/** @phpstan-type Row array{sign_up_id: string, form_id: int, entry_id: int, state: 'storing'|'stored'|'done', token: string} */
final class IdempotencyKeys {
	const TABLE = 'pillion_intake';

	/** Option with the version of the table. */
	const VERSION_OPTION = 'pillion_intake_version';

	const VERSION = '1';

	/** Time limit for storing, in seconds. A request that takes longer counts as dead. */
	const STORING_SECONDS = 30;

	/** Time limit for the notification mails, in seconds: PHPMailer's own timeout. */
	const NOTIFYING_SECONDS = 300;

	public static function table(): string {
		global $wpdb;
		return $wpdb->prefix . self::TABLE;
	}

	/**
	 * Claims a sign-up for this request.
	 *
	 * @return Row|null Null: another request works on it. A row that is done is returned without a claim.
	 */
	public static function claim( string $sign_up_id, int $form_id ): ?array {
		global $wpdb;
		self::ensure_table();
		$table    = self::table();
		$token    = bin2hex( random_bytes( 8 ) );
		$query    = "INSERT IGNORE INTO $table (sign_up_id, form_id, entry_id, state, token, taken_at) VALUES (%s, %d, 0, 'storing', %s, %d)";
		$query    = $wpdb->prepare( $query, $sign_up_id, $form_id, $token, time() );
		$inserted = $wpdb->query( $query );
		if ( false === $inserted ) {
			// A restored database can lack the table although the option says that it exists.
			self::create_table();
			$inserted = $wpdb->query( $query );
		}
		if ( $inserted ) {
			return self::to_row( $sign_up_id, $form_id, 0, 'storing', $token );
		}
		return self::claim_abandoned( $sign_up_id, $token );
	}

	/** @return Row|null */
	private static function claim_abandoned( string $sign_up_id, string $token ): ?array {
		global $wpdb;
		$table  = self::table();
		$stored = $wpdb->get_row( $wpdb->prepare( "SELECT * FROM $table WHERE sign_up_id = %s", $sign_up_id ), ARRAY_A );
		if ( ! $stored ) {
			return null;
		}
		$row = self::to_row( $sign_up_id, (int) $stored['form_id'], (int) $stored['entry_id'], $stored['state'], $token );
		if ( 'done' === $row['state'] ) {
			return $row;
		}
		$limit = 'stored' === $row['state'] ? self::NOTIFYING_SECONDS : self::STORING_SECONDS;
		// A time ahead of this machine's clock counts as expired too.
		if ( '' !== $stored['token'] && abs( time() - (int) $stored['taken_at'] ) < $limit ) {
			return null;
		}
		$query = "UPDATE $table SET token = %s, taken_at = %d WHERE sign_up_id = %s AND token = %s";
		return 1 === $wpdb->query( $wpdb->prepare( $query, $token, time(), $sign_up_id, $stored['token'] ) ) ? $row : null;
	}

	/** @return Row */
	private static function to_row( string $sign_up_id, int $form_id, int $entry_id, string $state, string $token ): array {
		return compact( 'sign_up_id', 'form_id', 'entry_id', 'state', 'token' );
	}

	/**
	 * Marks the entry as stored. Call it inside the transaction of the entry.
	 *
	 * @param Row $row
	 * @return bool False: another request took over the sign-up, so this entry must be rolled back.
	 */
	public static function mark_stored( array $row, int $entry_id ): bool {
		global $wpdb;
		$table = self::table();
		$query = "UPDATE $table SET state = 'stored', entry_id = %d WHERE sign_up_id = %s AND token = %s AND state = 'storing'";
		return 1 === $wpdb->query( $wpdb->prepare( $query, $entry_id, $row['sign_up_id'], $row['token'] ) );
	}

	/**
	 * Marks the sign-up as done: the entry is stored and notifications are sent.
	 *
	 * @param Row $row
	 */
	public static function mark_done( array $row ): void {
		global $wpdb;
		$table = self::table();
		$wpdb->query( $wpdb->prepare( "UPDATE $table SET state = 'done', token = '' WHERE sign_up_id = %s AND state = 'stored'", $row['sign_up_id'] ) );
	}

	/**
	 * Releases the claim. A sign-up that was not stored can be sent again at once.
	 *
	 * @param Row $row
	 */
	public static function release( array $row ): void {
		global $wpdb;
		$table = self::table();
		$wpdb->query( $wpdb->prepare( "DELETE FROM $table WHERE sign_up_id = %s AND token = %s AND state = 'storing'", $row['sign_up_id'], $row['token'] ) );
		$wpdb->query( $wpdb->prepare( "UPDATE $table SET token = '' WHERE sign_up_id = %s AND token = %s", $row['sign_up_id'], $row['token'] ) );
	}

	/** The response if another request has the row: `claim` returns null, or the row was lost later. */
	public static function busy_error(): WP_Error {
		return new WP_Error( 'pillion_busy', __( 'The same sign-up is being stored by another request.', 'pillion' ), array( 'status' => 503 ) );
	}

	public static function begin_transaction(): void {
		global $wpdb;
		$wpdb->query( 'START TRANSACTION' );
	}

	/** @return bool Whether the transaction was committed. */
	public static function commit(): bool {
		global $wpdb;
		return false !== $wpdb->query( 'COMMIT' );
	}

	public static function roll_back(): void {
		global $wpdb;
		$wpdb->query( 'ROLLBACK' );
	}

	private static function ensure_table(): void {
		if ( self::VERSION !== get_option( self::VERSION_OPTION ) ) {
			self::create_table();
		}
	}

	/**
	 * Creates the table. `entry_id`: 0 until the entry is stored. `token`: empty if no request works on the row.
	 * `taken_at`: Unix time in seconds at which a request took the row.
	 */
	private static function create_table(): void {
		global $wpdb;
		$table   = self::table();
		$charset = $wpdb->get_charset_collate();
		$wpdb->query(
			"CREATE TABLE IF NOT EXISTS $table (
				sign_up_id varchar(64) NOT NULL,
				form_id bigint(20) unsigned NOT NULL,
				entry_id bigint(20) unsigned NOT NULL,
				state varchar(10) NOT NULL,
				token varchar(16) NOT NULL,
				taken_at bigint(20) unsigned NOT NULL,
				PRIMARY KEY  (sign_up_id)
			) $charset"
		);
		update_option( self::VERSION_OPTION, self::VERSION );
	}
}
