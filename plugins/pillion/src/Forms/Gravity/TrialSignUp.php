<?php
/**
 * The trial sign-up of `npm run doctor`. It is stored like a real one and deleted before the response is sent. It sends
 * no mail and runs no other plugin. Only the entry's number is used up.
 *
 * It needs a key. A trial request without a key is rejected and not stored.
 *
 * @see https://docs.gravityforms.com/gform_disable_notification
 * @see https://docs.gravityforms.com/gform_addon_pre_process_feeds
 */

namespace Pillion\Forms\Gravity;

defined( 'ABSPATH' ) || exit;

use Pillion\Access\Keys;
use Pillion\Forms\Entries\Entries;
use Pillion\Forms\Entries\IdempotencyKeys;
use WP_Error;
use WP_REST_Request;
use WP_REST_Response;

final class TrialSignUp {
	/** Member of the submission that marks a trial, and member of the response with the result. */
	const MARK = 'pillion_trial';

	/** @var bool Whether this request is a trial. */
	private static $is_trial = false;

	/** @var string Sign-up id of the trial; empty: the request has no id. */
	private static $sign_up_id = '';

	/** @var int Id of the stored entry, or 0. */
	private static $entry_id = 0;

	/** @var bool Whether Gravity Forms stored the entry. */
	private static $is_gravity = false;

	public function register(): void {
		// Before `Submissions`, which answers repeats.
		add_filter( 'rest_dispatch_request', array( $this, 'begin_trial' ), 5, 2 );
		add_filter( 'rest_request_after_callbacks', array( $this, 'end_trial' ), 20, 3 );
	}

	public function begin_trial( $response, WP_REST_Request $request ) {
		$form_id = Submissions::submitted_form_id( $request );
		if ( null !== $response || ! $form_id || empty( $request[ self::MARK ] ) ) {
			return $response;
		}
		if ( ! Keys::is_from_site() ) {
			return new WP_Error( 'pillion_trial_needs_key', __( 'A trial sign-up needs a consumer key.', 'pillion' ), array( 'status' => 403 ) );
		}
		self::$is_trial   = true;
		self::$sign_up_id = strtolower( (string) $request['sign_up_id'] );
		self::disable_notifications( $form_id );
		add_action(
			'save_post_' . Entries::TYPE,
			static function ( $id ): void {
				self::$entry_id = (int) $id;
			}
		);
		add_action(
			'gform_entry_created',
			static function ( $entry ): void {
				self::$entry_id   = (int) ( $entry['id'] ?? 0 );
				self::$is_gravity = true;
			},
			0
		);
		// Deletes the entry even if the request dies.
		add_action( 'shutdown', array( self::class, 'undo' ), 0 );
		return $response;
	}

	/** Disables mails, feeds of add-ons and the actions that other plugins add to a submission. */
	private static function disable_notifications( int $form_id ): void {
		add_filter( 'pre_wp_mail', '__return_false', PHP_INT_MAX );
		add_filter( 'gform_disable_notification', '__return_true', PHP_INT_MAX );
		add_filter( 'gform_addon_pre_process_feeds', '__return_empty_array', PHP_INT_MAX );
		remove_all_actions( 'gform_after_submission' );
		remove_all_actions( "gform_after_submission_$form_id" );
	}

	/** Deletes the entry, and adds the result to the response. */
	public function end_trial( $response, $handler, WP_REST_Request $request ) {
		if ( ! self::$is_trial || ! Submissions::submitted_form_id( $request ) ) {
			return $response;
		}
		$entry_id  = self::$entry_id;
		$is_undone = self::undo();
		if ( $response instanceof WP_REST_Response && is_array( $response->get_data() ) ) {
			$response->set_data(
				array(
					self::MARK => array(
						'stored'     => $entry_id > 0,
						'taken_back' => $is_undone,
					),
				) + $response->get_data()
			);
		}
		return $response;
	}

	/** @return bool Whether the entry is deleted. */
	public static function undo(): bool {
		if ( ! self::$entry_id ) {
			return true;
		}
		$is_gone        = self::$is_gravity ? true === \GFAPI::delete_entry( self::$entry_id ) : (bool) wp_delete_post( self::$entry_id, true );
		self::$entry_id = $is_gone ? 0 : self::$entry_id;
		self::delete_key();
		return $is_gone;
	}

	/** Deletes the row of the sign-up id, so that a real sign-up with the same id is stored. */
	private static function delete_key(): void {
		global $wpdb;
		if ( '' !== self::$sign_up_id ) {
			$wpdb->delete( IdempotencyKeys::table(), array( 'sign_up_id' => self::$sign_up_id ) );
		}
	}
}
