<?php
/**
 * The screen where an administrator says where the site is and which secret signs what it is told.
 */

namespace Pillion;

final class SitePage {
	const PAGE = 'pillion-site';

	const CAPABILITY = 'manage_options';

	/** Longest wait for the test's answer, in seconds. */
	const TEST_SECONDS = 10;

	/** Of a new secret; the standard asks for 24 to 64. */
	const SECRET_BYTES = 32;

	/** @var string The secret just made: shown in this answer and never again. */
	private $made = '';

	/** @var array{kind: string, text: string}|null */
	private $notice = null;

	/** @var string|null What was typed and refused. */
	private $typed = null;

	public function register(): void {
		add_action( 'admin_menu', array( $this, 'add_page' ), 21 );
	}

	public function add_page(): void {
		$page = add_submenu_page( Admin::MENU, __( 'Site', 'pillion' ), __( 'Site', 'pillion' ), self::CAPABILITY, self::PAGE, array( $this, 'render' ) );
		add_action( "load-$page", array( $this, 'handle' ) );
	}

	/** Answers the page's forms; not redirected, so that a new secret is shown in this answer only. */
	public function handle(): void {
		if ( 'POST' !== ( $_SERVER['REQUEST_METHOD'] ?? '' ) || ! current_user_can( self::CAPABILITY ) ) {
			return;
		}
		check_admin_referer( self::PAGE );
		switch ( sanitize_key( wp_unslash( $_POST['do'] ?? '' ) ) ) {
			case 'save':
				$this->save( trim( (string) wp_unslash( $_POST['address'] ?? '' ) ), trim( (string) wp_unslash( $_POST['secret'] ?? '' ) ) );
				break;
			case 'make':
				$this->keep( array( 'secret' => $this->make() ) );
				break;
			case 'test':
				$this->test();
		}
	}

	private function save( string $address, string $secret ): void {
		$problem = $this->problem_of( $address, $secret );
		if ( '' !== $problem ) {
			$this->typed  = $address;
			$this->notice = array( 'kind' => 'error', 'text' => $problem );
			return;
		}
		$kept = Site::is_deployed( 'PILLION_SITE_URL' ) ? array() : array( 'address' => untrailingslashit( $address ) );
		if ( Site::is_deployed( 'PILLION_WEBHOOK_SECRET' ) ) {
			$secret = '';
		}
		if ( '' !== $secret ) {
			$kept['secret'] = $secret;
		} elseif ( '' !== $address && '' === Site::secret() ) {
			$kept['secret'] = $this->make();
		}
		$this->keep( $kept );
		$this->notice = array( 'kind' => 'success', 'text' => __( 'Saved.', 'pillion' ) );
	}

	/** @return string Why the input cannot be taken; empty where it can. An empty address tells the site nothing any more. */
	private function problem_of( string $address, string $secret ): string {
		$parts = '' === $address ? array( 'scheme' => 'https', 'host' => '-' ) : wp_parse_url( $address );
		$path  = is_array( $parts ) ? ( $parts['path'] ?? '/' ) : '';
		if ( ! is_array( $parts ) || ! in_array( $parts['scheme'] ?? '', array( 'http', 'https' ), true ) || empty( $parts['host'] ) || '/' !== $path || array_diff( array_keys( $parts ), array( 'scheme', 'host', 'port', 'path' ) ) ) {
			return __( 'The address must begin with https:// or http:// and end with the host or its port: https://example.org', 'pillion' );
		}
		if ( '' !== $secret && null === Site::key( $secret ) ) {
			return __( 'A secret is whsec_ and 24 to 64 bytes as base64.', 'pillion' );
		}
		return '';
	}

	private function make(): string {
		$this->made = 'whsec_' . base64_encode( random_bytes( self::SECRET_BYTES ) );
		return $this->made;
	}

	/**
	 * @param array<string, string> $members
	 */
	private function keep( array $members ): void {
		$kept = get_option( Site::OPTION, array() );
		update_option( Site::OPTION, $members + ( is_array( $kept ) ? $kept : array() ), false );
	}

	/** Tells the site what is true and harmless: read the texts anew. */
	private function test(): void {
		$begun        = microtime( true );
		$answer       = Site::tell( array( 'id' => null, 'type' => 'strings', 'path' => '/', 'status' => 'test' ), self::TEST_SECONDS );
		$seconds      = number_format_i18n( microtime( true ) - $begun, 1 );
		$this->notice = $answer['ok']
			/* translators: %s: seconds. */
			? array( 'kind' => 'success', 'text' => sprintf( __( 'It works: the site was told, read this WordPress and answered after %s s.', 'pillion' ), $seconds ) )
			: array( 'kind' => 'error', 'text' => $answer['problem'] );
	}

	public function render(): void {
		echo '<div class="wrap"><h1>' . esc_html__( 'Site', 'pillion' ) . '</h1><hr class="wp-header-end">';
		if ( $this->notice ) {
			echo '<div class="notice notice-' . esc_attr( $this->notice['kind'] ) . '" role="status"><p>' . esc_html( $this->notice['text'] ) . '</p></div>';
		}
		if ( '' !== $this->made ) {
			$this->render_made();
		}
		echo '<p>' . esc_html__( 'The site is told of every change, so that it shows it at once and whoever saved sees when. Without an address it looks for changes itself, once a minute.', 'pillion' ) . '</p>';
		$this->render_form();
		$this->render_actions();
		echo '</div>';
	}

	private function render_made(): void {
		echo '<div class="notice notice-warning"><p><strong>' . esc_html__( 'Copy it now: the secret is not shown again. The site’s server needs it.', 'pillion' ) . '</strong></p>';
		echo '<p><label for="pillion-made">WEBHOOK_SECRET</label><br><input id="pillion-made" class="large-text code" readonly onfocus="this.select()" value="' . esc_attr( $this->made ) . '"></p></div>';
	}

	private function render_form(): void {
		$has_secret = '' !== Site::secret();
		echo '<form method="post">';
		wp_nonce_field( self::PAGE );
		echo '<input type="hidden" name="do" value="save"><table class="form-table" role="presentation">';
		$this->render_row( 'address', __( 'Address of the site', 'pillion' ), 'PILLION_SITE_URL', 'url', $this->typed ?? Site::address(), 'https://example.org', __( 'This WordPress calls it there, and receipts link to it.', 'pillion' ) );
		$this->render_row( 'secret', __( 'Secret', 'pillion' ), 'PILLION_WEBHOOK_SECRET', 'password', '', $has_secret ? '•••••••• ' . substr( Site::secret(), -4 ) : 'whsec_…', __( 'The same as the site’s WEBHOOK_SECRET. Leave it empty to keep the one there is, or to have one made.', 'pillion' ) );
		echo '</table>';
		if ( ! Site::is_deployed( 'PILLION_SITE_URL' ) || ! Site::is_deployed( 'PILLION_WEBHOOK_SECRET' ) ) {
			submit_button( __( 'Save', 'pillion' ) );
		}
		echo '</form>';
	}

	private function render_row( string $name, string $label, string $constant, string $kind, string $value, string $placeholder, string $help ): void {
		$fixed = Site::is_deployed( $constant );
		/* translators: %s: name of a constant. */
		$help = $fixed ? sprintf( __( 'Set as %s where this WordPress is configured.', 'pillion' ), $constant ) : $help;
		echo '<tr><th scope="row"><label for="pillion-site-' . esc_attr( $name ) . '">' . esc_html( $label ) . '</label></th><td>';
		echo '<input type="' . esc_attr( $kind ) . '" id="pillion-site-' . esc_attr( $name ) . '" name="' . esc_attr( $name ) . '" class="regular-text code" autocomplete="off" aria-describedby="pillion-site-' . esc_attr( $name ) . '-help"';
		echo ' value="' . esc_attr( $value ) . '" placeholder="' . esc_attr( $placeholder ) . '"' . ( $fixed ? ' readonly' : '' ) . '>';
		echo '<p class="description" id="pillion-site-' . esc_attr( $name ) . '-help">' . esc_html( $help ) . '</p></td></tr>';
	}

	private function render_actions(): void {
		if ( Site::is_configured() ) {
			$this->render_button( 'test', __( 'Send a test', 'pillion' ) );
		}
		if ( '' !== Site::secret() && ! Site::is_deployed( 'PILLION_WEBHOOK_SECRET' ) ) {
			$this->render_button( 'make', __( 'Make a new secret', 'pillion' ) );
		}
	}

	private function render_button( string $action, string $label ): void {
		echo '<form method="post" style="display:inline-block;margin-right:8px">';
		wp_nonce_field( self::PAGE );
		echo '<input type="hidden" name="do" value="' . esc_attr( $action ) . '">';
		submit_button( $label, 'secondary', 'submit', false );
		echo '</form>';
	}
}
