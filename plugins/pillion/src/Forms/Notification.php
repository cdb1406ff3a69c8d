<?php
/**
 * Sends one mail per sign-up to the addresses of the form. It is sent after the response to the site, so a slow mail
 * server does not delay a sign-up.
 */

namespace Pillion\Forms;

defined( 'ABSPATH' ) || exit;

use Pillion\Forms\Entries\Entries;
use Pillion\Lib\Data;
use Throwable;
use WP_Error;

final class Notification {
	/** Meta key of an entry whose mail is not sent yet. The request that deletes it sends the mail. */
	const PENDING = '_pillion_mail';

	/** Meta key of an entry whose mail failed, with the reason. */
	const FAILED = '_pillion_mail_failed';

	/** A plain address without characters that could start another header. */
	public static function is_address( string $address ): bool {
		return ! preg_match( '/[\s,;<>"]/', $address ) && (bool) is_email( $address );
	}

	/** @return string[] The parts between commas, semicolons or line breaks. */
	public static function addresses( string $typed ): array {
		return array_values( array_filter( array_map( 'trim', preg_split( '/[,;\n]/', $typed ) ), 'strlen' ) );
	}

	/** @return string Addresses separated by commas; empty if no mail is sent. */
	public static function recipients( array $form ): string {
		foreach ( Data::rows( $form['notifications'] ?? null ) as $notification ) {
			if ( false !== ( $notification['isActive'] ?? true ) && is_string( $notification['to'] ?? null ) ) {
				return str_replace( '{admin_email}', (string) get_option( 'admin_email' ), $notification['to'] );
			}
		}
		return '';
	}

	/**
	 * @param string               $typed  Addresses; empty: no mail is sent.
	 * @param array<string, mixed> $before The stored form.
	 * @return array<string, array<string, mixed>> In the format of Gravity Forms.
	 */
	public static function to_notifications( string $typed, array $before ): array {
		if ( '' === $typed ) {
			return array();
		}
		$stored = Data::rows( $before['notifications'] ?? null );
		$key    = (string) ( array_key_first( $stored ) ?? 'default' );
		$new    = array(
			'to'       => implode( ', ', self::addresses( $typed ) ),
			'isActive' => true,
		);
		return array(
			$key => $new + ( $stored[ $key ] ?? array() ) + array(
				'id'     => $key,
				'name'   => 'Admin Notification',
				'event'  => 'form_submission',
				'toType' => 'email',
			),
		);
	}

	/** Sends the mail of an entry after the response, unless another request has sent it or is sending it. */
	public static function send_later( array $form, int $entry_id ): void {
		add_action(
			'shutdown',
			static function () use ( $form, $entry_id ): void {
				if ( function_exists( 'fastcgi_finish_request' ) ) {
					fastcgi_finish_request();
				}
				self::send( $form, $entry_id );
			}
		);
	}

	private static function send( array $form, int $entry_id ): void {
		// Only one of several concurrent requests can delete the mark.
		if ( ! delete_post_meta( $entry_id, self::PENDING ) ) {
			return;
		}
		$to = array_filter( self::addresses( self::recipients( $form ) ), array( self::class, 'is_address' ) );
		if ( ! $to ) {
			return;
		}
		$failure = self::send_mail( $to, $form, $entry_id );
		if ( null !== $failure ) {
			update_post_meta( $entry_id, self::FAILED, wp_slash( '' !== $failure ? $failure : __( 'WordPress gives no reason.', 'pillion' ) ) );
		}
	}

	/**
	 * @param string[] $to
	 * @return string|null Why the mail failed, empty if a plugin gives no reason; null: it was sent.
	 */
	private static function send_mail( array $to, array $form, int $entry_id ): ?string {
		$reason    = '';
		$on_failed = static function ( WP_Error $error ) use ( &$reason ): void {
			$reason = $error->get_error_message();
		};
		add_action( 'wp_mail_failed', $on_failed );
		try {
			return wp_mail( $to, self::subject( $form ), self::body( $entry_id ), self::headers( $entry_id ) ) ? null : $reason;
		} catch ( Throwable $error ) {
			return $error->getMessage();
		} finally {
			remove_action( 'wp_mail_failed', $on_failed );
		}
	}

	private static function subject( array $form ): string {
		$title = preg_replace( '/\s+/', ' ', wp_strip_all_tags( (string) ( $form['title'] ?? '' ) ) );
		/* translators: %s: name of a form */
		return sprintf( __( 'Sign-up: %s', 'pillion' ), trim( $title ) );
	}

	private static function body( int $entry_id ): string {
		$lines = array();
		foreach ( Entries::answers( $entry_id ) as list( $label, $value ) ) {
			$lines[] = "$label: $value";
		}
		$lines[] = '';
		$lines[] = admin_url( "post.php?post=$entry_id&action=edit" );
		return implode( "\n", $lines );
	}

	/** @return string[] Replies go to the visitor who signed up. */
	private static function headers( int $entry_id ): array {
		$visitors = array_filter( get_post_meta( $entry_id, Entries::EMAIL ), array( self::class, 'is_address' ) );
		return $visitors ? array( 'Reply-To: ' . reset( $visitors ) ) : array();
	}
}
