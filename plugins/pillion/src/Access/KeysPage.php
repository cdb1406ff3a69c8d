<?php
/**
 * The screen where an administrator creates and revokes consumer keys.
 */

namespace Pillion\Access;

defined( 'ABSPATH' ) || exit;

use Pillion\Lib\Admin;
use Pillion\Lib\Input;

/** @phpstan-import-type Key from Keys */
final class KeysPage {
	const PAGE = 'pillion-keys';

	/** @var array{key: string, secret: string}|null The new key, shown in this response only. */
	private $new_key = null;

	private string $notice = '';

	public function register(): void {
		add_action( 'admin_menu', fn() => Admin::add_screen( $this, self::PAGE, __( 'Keys', 'pillion' ), Admin::SETTINGS_CAPABILITY ), 20 );
	}

	/** Handles the two forms of the page without a redirect, so that the secret is not stored. */
	public function handle(): void {
		if ( ! Input::is_post() || ! current_user_can( Admin::SETTINGS_CAPABILITY ) ) {
			return;
		}
		check_admin_referer( self::PAGE );
		$id = sanitize_key( Input::posted( 'id' ) );
		if ( 'revoke' === Input::posted( 'do' ) ) {
			Keys::revoke( $id );
			$this->notice = __( 'The key is revoked and no longer works.', 'pillion' );
			return;
		}
		$description   = sanitize_text_field( Input::posted( 'description' ) );
		$this->new_key = wp_is_uuid( $id ) ? Keys::create( $id, $description, get_current_user_id() ) : null;
		$this->notice  = $this->new_key ? '' : __( 'This key already exists, and its secret cannot be shown again. Revoke it and create a new key.', 'pillion' );
	}

	public function render(): void {
		echo '<div class="wrap"><h1>' . esc_html__( 'Keys', 'pillion' ) . '</h1>';
		echo '<p>' . esc_html__( 'The site’s server sends a key and its secret with every request. A key can only read published content and submit forms.', 'pillion' ) . '</p>';
		if ( '' !== $this->notice ) {
			Admin::notice( 'info', $this->notice );
		}
		if ( $this->new_key ) {
			$this->render_new_key( $this->new_key );
		}
		$this->render_form();
		$this->render_list( Keys::all() );
		$this->render_wrong_keys( WrongKeys::all() );
		echo '</div>';
	}

	/** @param array{key: string, secret: string} $key */
	private function render_new_key( array $key ): void {
		echo '<div class="notice notice-success"><p><strong>' . esc_html__( 'Copy both now. The secret is not shown again.', 'pillion' ) . '</strong></p>';
		echo '<p><label for="pillion-key">CONTENT_KEY</label><br><input id="pillion-key" class="large-text code" readonly value="' . esc_attr( $key['key'] ) . '"></p>';
		echo '<p><label for="pillion-secret">CONTENT_SECRET</label><br><input id="pillion-secret" class="large-text code" readonly value="' . esc_attr( $key['secret'] ) . '"></p></div>';
	}

	private function render_form(): void {
		echo '<form method="post">';
		wp_nonce_field( self::PAGE );
		// A reload sends the same id again and creates no second key.
		echo '<input type="hidden" name="id" value="' . esc_attr( wp_generate_uuid4() ) . '">';
		echo '<p><label for="pillion-description">' . esc_html__( 'Purpose of the key', 'pillion' ) . '</label><br>';
		echo '<input id="pillion-description" name="description" class="regular-text" required maxlength="100"> ';
		submit_button( __( 'Create a key', 'pillion' ), 'primary', 'submit', false );
		echo '</p></form>';
	}

	/** @param Key[] $keys */
	private function render_list( array $keys ): void {
		Admin::begin_table( array( __( 'Purpose', 'pillion' ), __( 'Key', 'pillion' ), __( 'Created by', 'pillion' ), __( 'Created', 'pillion' ), '' ) );
		foreach ( $keys as $key ) {
			$this->render_key( $key );
		}
		echo $keys ? '' : '<tr><td colspan="5">' . esc_html__( 'No key yet.', 'pillion' ) . '</td></tr>';
		Admin::end_table();
	}

	/** @param Key $key */
	private function render_key( array $key ): void {
		$user = get_userdata( (int) ( $key['made_by'] ?? 0 ) );
		echo '<tr><td>' . esc_html( $key['description'] ?? '' ) . '</td><td><code>…' . esc_html( substr( $key['key'], -7 ) ) . '</code></td>';
		echo '<td>' . esc_html( $user ? $user->user_login : __( 'a deleted user', 'pillion' ) ) . '</td>';
		echo '<td>' . esc_html( (string) get_date_from_gmt( $key['created'] ?? '', (string) get_option( 'date_format' ) ) ) . '</td><td><form method="post">';
		wp_nonce_field( self::PAGE );
		echo '<input type="hidden" name="do" value="revoke"><input type="hidden" name="id" value="' . esc_attr( $key['id'] ) . '">';
		submit_button( __( 'Revoke', 'pillion' ), 'delete small', 'submit', false );
		echo '</form></td></tr>';
	}

	/** @param array<string, array{since: int, last: int, count: int, key: string}> $tries_by_network */
	private function render_wrong_keys( array $tries_by_network ): void {
		if ( ! $tries_by_network ) {
			return;
		}
		echo '<h2>' . esc_html__( 'Wrong keys', 'pillion' ) . '</h2><p>' . esc_html__( 'Recent requests with an unknown key or a wrong secret. If your site is listed, update its settings.', 'pillion' ) . '</p>';
		Admin::begin_table( array( __( 'From', 'pillion' ), __( 'Key', 'pillion' ), __( 'Tries in a minute', 'pillion' ), __( 'Last try', 'pillion' ) ) );
		foreach ( $tries_by_network as $network => $tries ) {
			$count = $tries['count'] < WrongKeys::LIMIT ? (string) $tries['count'] : WrongKeys::LIMIT . '+';
			echo '<tr><td>' . esc_html( (string) $network ) . '</td><td><code>…' . esc_html( $tries['key'] ) . '</code></td><td>' . esc_html( $count ) . '</td>';
			echo '<td>' . esc_html( Admin::time( $tries['last'] ) ) . '</td></tr>';
		}
		Admin::end_table();
	}
}
