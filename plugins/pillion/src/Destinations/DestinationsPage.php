<?php
/**
 * The screen where an administrator manages destinations.
 */

namespace Pillion\Destinations;

defined( 'ABSPATH' ) || exit;

use Pillion\Lib\Admin;
use Pillion\Lib\Input;
use Pillion\Site\Connection;

/**
 * @phpstan-import-type Destination from Destinations
 * @phpstan-import-type Posted from DestinationRules
 * @phpstan-import-type Values from DestinationRules
 */
final class DestinationsPage {
	const PAGE = 'pillion-destinations';

	/** Controls of the form that send one text each. */
	const TEXT_CONTROLS = array( 'name', 'url', 'purpose', 'enabled' );

	/** @var Posted|null Rejected input, shown again. */
	private $rejected = null;

	/** @var array<string, string> By field. */
	private $problems = array();

	/** @var Destination|null Its secret is shown in this response only. */
	private $secret_of = null;

	/** @var array{kind: string, text: string}|null */
	private $notice = null;

	public function register(): void {
		add_action( 'admin_menu', fn() => Admin::add_screen( $this, self::PAGE, __( 'Destinations', 'pillion' ), Admin::SETTINGS_CAPABILITY ), 20 );
	}

	/** @param string $id Of the destination to edit; empty: the form adds one. */
	private static function url( string $id = '' ): string {
		return Admin::url( self::PAGE, array_filter( array( 'edit' => $id ) ) );
	}

	/** Handles the forms of the page without a redirect, so that a secret is shown in this response only. */
	public function handle(): void {
		if ( ! Input::is_post() || ! current_user_can( Admin::SETTINGS_CAPABILITY ) ) {
			return;
		}
		check_admin_referer( self::PAGE );
		$id = sanitize_key( Input::posted( 'id' ) );
		switch ( sanitize_key( Input::posted( 'do' ) ) ) {
			case 'save':
				$this->save_submitted( $id );
				break;
			case 'secret':
				$this->secret_of = Destinations::all()[ $id ] ?? null;
				break;
			case 'remove':
				Destinations::remove( $id );
				$this->notice = array( 'kind' => 'success', 'text' => __( 'The destination is removed. Sign-ups that wait for it are not sent.', 'pillion' ) );
		}
	}

	private function save_submitted( string $id ): void {
		$is_new = ! isset( Destinations::all()[ $id ] );
		$posted = array( 'fields' => DestinationFields::chosen_fields( Input::posted_list( 'fields' ) ) );
		foreach ( self::TEXT_CONTROLS as $control ) {
			$posted[ $control ] = Input::posted( $control );
		}
		$form     = DestinationRules::validate( $posted, $id );
		$conflict = self::conflict( $id, $form['values'] );
		$problems = ( '' === $conflict ? array() : array( 'name' => $conflict ) ) + $form['problems'];
		if ( $problems ) {
			$this->rejected = $posted;
			$this->problems = $problems;
			$this->notice   = array( 'kind' => 'error', 'text' => __( 'The destination is not saved yet. Correct the fields below.', 'pillion' ) );
			return;
		}
		Destinations::save( array( 'id' => $id, 'secret' => Connection::new_secret() ) + $form['values'] );
		$this->secret_of = $is_new ? Destinations::all()[ $id ] : null;
		$this->notice    = array( 'kind' => 'success', 'text' => __( 'Saved. The site reads the list every 20 seconds.', 'pillion' ) );
	}

	/**
	 * @param Values $values
	 * @return string Why the list does not accept the destination; empty if it does.
	 */
	private static function conflict( string $id, array $values ): string {
		$listed = Destinations::all();
		$stored = $listed[ $id ] ?? null;
		if ( ! wp_is_uuid( $id, 4 ) || in_array( $id, Destinations::removed(), true ) ) {
			return __( 'This destination was removed in the meantime. Add it again.', 'pillion' );
		}
		// A reload after a save posts an old version with the stored values.
		$is_saved = $stored && array_merge( $stored, $values ) === $stored;
		if ( ! $is_saved && Admin::fingerprint( $stored ) !== Input::posted( 'version' ) ) {
			return __( 'Another user has changed this destination in the meantime, so nothing was saved. Save again to replace those changes by the ones below, or open this screen again.', 'pillion' );
		}
		if ( ! $stored && count( $listed ) >= Destinations::MAX_DESTINATIONS ) {
			/* translators: %d: a number */
			return sprintf( __( 'There are already %d destinations. Remove one first.', 'pillion' ), Destinations::MAX_DESTINATIONS );
		}
		return '';
	}

	/** Id of a new destination. After a problem it stays, so that a reload adds no second one; a removed one cannot come back. */
	private function new_id(): string {
		$posted = $this->rejected ? sanitize_key( Input::posted( 'id' ) ) : '';
		return wp_is_uuid( $posted, 4 ) && ! in_array( $posted, Destinations::removed(), true ) ? $posted : wp_generate_uuid4();
	}

	public function render(): void {
		$listed = Destinations::all();
		$id     = sanitize_key( $this->rejected ? Input::posted( 'id' ) : Input::query( 'edit' ) );
		$edited = $listed[ $id ] ?? null;
		echo '<div class="wrap"><h1>' . esc_html__( 'Destinations', 'pillion' ) . '</h1><hr class="wp-header-end">';
		if ( $this->notice ) {
			Admin::notice( $this->notice['kind'], $this->notice['text'], 'error' === $this->notice['kind'] ? 'alert' : 'status' );
		}
		if ( $this->secret_of ) {
			$this->render_secret( $this->secret_of );
		}
		echo '<p>' . esc_html__( 'The site sends a copy of each new sign-up to every destination, such as an automation tool or a CRM, as a signed message. It contains no answers unless you choose fields.', 'pillion' ) . '</p>';
		$this->render_list( $listed );
		echo '<h2>' . esc_html( $edited ? __( 'Change the destination', 'pillion' ) : __( 'Add a destination', 'pillion' ) ) . '</h2>';
		$this->render_form( $edited );
		echo '</div>';
	}

	/** @param Destination $destination */
	private function render_secret( array $destination ): void {
		/* translators: %s: name of a destination. */
		echo '<div class="notice notice-warning"><p><label for="pillion-destination-secret">' . esc_html( sprintf( __( 'Secret of “%s”. The receiver verifies the signature with it:', 'pillion' ), $destination['name'] ) ) . '</label></p>';
		echo '<p><input type="text" id="pillion-destination-secret" class="large-text code" readonly onfocus="this.select()" value="' . esc_attr( $destination['secret'] ) . '"></p></div>';
	}

	/** @param array<string, Destination> $listed */
	private function render_list( array $listed ): void {
		Admin::begin_table( array( __( 'Name', 'pillion' ), __( 'Host', 'pillion' ), __( 'Purpose', 'pillion' ), __( 'Fields', 'pillion' ), '' ) );
		foreach ( $listed as $destination ) {
			echo '<tr><td><a href="' . esc_url( self::url( $destination['id'] ) ) . '">' . esc_html( $destination['name'] ) . '</a>' . ( $destination['enabled'] ? '' : ' — ' . esc_html__( 'switched off', 'pillion' ) ) . '</td>';
			// The rest of the address may contain a secret.
			echo '<td>' . esc_html( (string) wp_parse_url( $destination['url'], PHP_URL_HOST ) ) . '</td><td>' . esc_html( DestinationRules::purposes()[ $destination['purpose'] ] ?? '' ) . '</td>';
			echo '<td>' . esc_html( DestinationFields::summary( $destination['fields'] ) ) . '</td><td>';
			$this->render_button( 'secret', $destination['id'], __( 'Show the secret', 'pillion' ), 'small' );
			$this->render_button( 'remove', $destination['id'], __( 'Remove', 'pillion' ), 'delete small' );
			echo '</td></tr>';
		}
		echo $listed ? '' : '<tr><td colspan="5">' . esc_html__( 'No destination yet.', 'pillion' ) . '</td></tr>';
		Admin::end_table();
	}

	/** @param string $type As in submit_button(). */
	private function render_button( string $action, string $id, string $label, string $type ): void {
		echo '<form method="post" action="' . esc_url( self::url() ) . '" style="display:inline-block;margin-right:8px">';
		wp_nonce_field( self::PAGE );
		echo '<input type="hidden" name="do" value="' . esc_attr( $action ) . '"><input type="hidden" name="id" value="' . esc_attr( $id ) . '">';
		submit_button( $label, $type, 'submit', false );
		echo '</form>';
	}

	/** @param Destination|null $edited Null: a new one. */
	private function render_form( ?array $edited ): void {
		$values = $this->rejected ?? array(
			'name'    => $edited['name'] ?? '',
			'url'     => $edited['url'] ?? '',
			'purpose' => $edited['purpose'] ?? 'none',
			'fields'  => $edited['fields'] ?? array(),
			'enabled' => $edited && ! $edited['enabled'] ? '' : '1',
		);
		echo '<form method="post" action="' . esc_url( self::url() ) . '">';
		wp_nonce_field( self::PAGE );
		// A reload sends the same id again and adds no second destination.
		echo '<input type="hidden" name="do" value="save"><input type="hidden" name="id" value="' . esc_attr( $edited['id'] ?? $this->new_id() ) . '"><input type="hidden" name="version" value="' . esc_attr( Admin::fingerprint( $edited ) ) . '"><table class="form-table" role="presentation">';
		$this->render_row( 'name', __( 'Name', 'pillion' ), '<input type="text" class="regular-text" name="name" value="' . esc_attr( $values['name'] ) . '"', '>', __( 'Shown above the list of sign-ups.', 'pillion' ) );
		$this->render_row( 'url', __( 'Address', 'pillion' ), '<input type="url" class="regular-text code" name="url" placeholder="https://" value="' . esc_attr( $values['url'] ) . '"', '>', __( 'The site must reach it. Private networks are refused unless the site’s operator allows them.', 'pillion' ) );
		$options = Admin::options( DestinationRules::purposes(), $values['purpose'] );
		$this->render_row( 'purpose', __( 'Purpose', 'pillion' ), '<select name="purpose"', '>' . $options . '</select>', __( 'Sign-ups without the visitor’s consent to the purpose are not sent. Global Privacy Control refuses marketing.', 'pillion' ) );
		echo '<tr><th scope="row">' . esc_html__( 'Fields', 'pillion' ) . '</th><td>';
		DestinationFields::render( $values['fields'] );
		echo '</td></tr>';
		$this->render_row( 'enabled', __( 'Switched on', 'pillion' ), '<input type="checkbox" name="enabled" value="1"' . checked( '1', $values['enabled'], false ), '>', __( 'While it is off, new sign-ups are not sent to it, and those that wait stay stored.', 'pillion' ) );
		echo '</table>';
		submit_button( $edited ? __( 'Save', 'pillion' ) : __( 'Add the destination', 'pillion' ) );
		echo '</form>';
		if ( $edited ) {
			echo '<p><a href="' . esc_url( self::url() ) . '">' . esc_html__( 'Add another destination', 'pillion' ) . '</a></p>';
		}
	}

	/**
	 * @param string $begin Begin of the control's tag, escaped HTML.
	 * @param string $end   Its end, escaped HTML.
	 */
	private function render_row( string $field, string $label, string $begin, string $end, string $help ): void {
		$id      = 'pillion-destination-' . $field;
		$problem = $this->problems[ $field ] ?? '';
		echo '<tr><th scope="row"><label for="' . esc_attr( $id ) . '">' . esc_html( $label ) . '</label></th><td>';
		$state = ' id="' . esc_attr( $id ) . '" aria-describedby="' . esc_attr( ( $problem ? "$id-problem " : '' ) . "$id-help" ) . '"' . ( $problem ? ' aria-invalid="true"' : '' );
		echo $begin . $state . $end; // phpcs:ignore WordPress.Security.EscapeOutput.OutputNotEscaped -- escaped by the caller and above.
		if ( $problem ) {
			echo '<div class="notice notice-error inline" id="' . esc_attr( "$id-problem" ) . '"><p>' . esc_html( $problem ) . '</p></div>';
		}
		echo '<p class="description" id="' . esc_attr( "$id-help" ) . '">' . esc_html( $help ) . '</p></td></tr>';
	}
}
