<?php
/**
 * The screen where an administrator sets the site's address and the secret that signs messages to it.
 */

namespace Pillion\Site;

defined( 'ABSPATH' ) || exit;

use Pillion\Lib\Admin;
use Pillion\Lib\Assets;
use Pillion\Lib\Data;
use Pillion\Lib\Input;

/** @phpstan-import-type Finding from SelfCheck */
final class SitePage {
	const PAGE = 'pillion-site';

	/** Timeout of the site's doctor, in seconds: it sends about twenty requests to this WordPress. */
	const DOCTOR_TIMEOUT_SECONDS = 30;

	/** @var string The new secret, shown in this response only. */
	private $new_secret = '';

	/** @var array{kind: string, text: string}|null */
	private $notice = null;

	/**
	 * @var array{problem: string, findings: array<int, array<string, string>>}|null Results of the site's doctor; null:
	 * it did not run.
	 */
	private $site_findings = null;

	/** @var string|null The rejected address, as typed. */
	private $rejected_address = null;

	public function register(): void {
		add_action( 'admin_menu', fn() => Admin::add_screen( $this, self::PAGE, __( 'Site', 'pillion' ), Admin::SETTINGS_CAPABILITY ), 21 );
	}

	/** Handles the forms of the page without a redirect, so that a new secret is shown in this response only. */
	public function handle(): void {
		wp_enqueue_style( Assets::style( self::PAGE, 'assets/site.css' ) );
		if ( ! Input::is_post() || ! current_user_can( Admin::SETTINGS_CAPABILITY ) ) {
			return;
		}
		check_admin_referer( self::PAGE );
		switch ( sanitize_key( Input::posted( 'do' ) ) ) {
			case 'save':
				$this->save_submitted( trim( Input::posted( 'address' ) ), trim( Input::posted( 'secret' ) ) );
				break;
			case 'make':
				$this->store_members( array( 'secret' => $this->create_secret() ) );
				break;
			case 'test':
				$this->send_test();
				break;
			case 'ask':
				$this->site_findings = Connection::request_findings( self::DOCTOR_TIMEOUT_SECONDS );
		}
	}

	private function save_submitted( string $address, string $secret ): void {
		$problem = self::input_problem( $address, $secret );
		if ( '' !== $problem ) {
			$this->rejected_address = $address;
			$this->notice           = array( 'kind' => 'error', 'text' => $problem );
			return;
		}
		$members = Connection::is_deployed( 'PILLION_SITE_URL' ) ? array() : array( 'address' => untrailingslashit( $address ) );
		if ( Connection::is_deployed( 'PILLION_WEBHOOK_SECRET' ) ) {
			$secret = '';
		}
		if ( '' !== $secret ) {
			$members['secret'] = $secret;
		} elseif ( '' !== $address && '' === Connection::secret() ) {
			$members['secret'] = $this->create_secret();
		}
		$this->store_members( $members );
		$this->notice = array( 'kind' => 'success', 'text' => __( 'Saved.', 'pillion' ) );
	}

	/** @return string Why the input is rejected; empty if it is valid. An empty address turns notifications off. */
	private static function input_problem( string $address, string $secret ): string {
		if ( '' !== $address && ! self::is_origin( $address ) ) {
			return __( 'The address must begin with https:// or http:// and end with the host or its port, for example https://example.org', 'pillion' );
		}
		if ( '' !== $secret && null === Connection::decode_secret( $secret ) ) {
			return __( 'The secret must be whsec_ followed by 24 to 64 bytes as Base64.', 'pillion' );
		}
		return '';
	}

	/** Whether an address has scheme, host and port only. A slash may follow. */
	private static function is_origin( string $address ): bool {
		$parts = wp_parse_url( $address );
		if ( ! is_array( $parts ) || array_diff( array_keys( $parts ), array( 'scheme', 'host', 'port', 'path' ) ) ) {
			return false;
		}
		return in_array( $parts['scheme'] ?? '', array( 'http', 'https' ), true ) && ! empty( $parts['host'] ) && '/' === ( $parts['path'] ?? '/' );
	}

	private function create_secret(): string {
		$this->new_secret = Connection::new_secret();
		return $this->new_secret;
	}

	/** @param array<string, string> $members */
	private function store_members( array $members ): void {
		update_option( Connection::OPTION, $members + Data::option( Connection::OPTION ), false );
	}

	private function send_test(): void {
		$started_at   = microtime( true );
		$result       = Connection::send_test();
		$seconds      = number_format_i18n( microtime( true ) - $started_at, 1 );
		$this->notice = $result['ok']
			/* translators: %s: seconds. */
			? array( 'kind' => 'success', 'text' => sprintf( __( 'It works: the site received the message, read this WordPress and responded after %s s.', 'pillion' ), $seconds ) )
			: array( 'kind' => 'error', 'text' => $result['problem'] );
	}

	public function render(): void {
		echo '<div class="wrap"><h1>' . esc_html__( 'Site', 'pillion' ) . '</h1><hr class="wp-header-end">';
		if ( $this->notice ) {
			Admin::notice( $this->notice['kind'], $this->notice['text'], 'status' );
		}
		if ( Connection::is_unencrypted() ) {
			Admin::notice( 'warning inline', __( 'The site’s address begins with http:// and is on another machine, so others on the network can read and change messages. Install a certificate on the site and enter its https:// address here.', 'pillion' ) );
		}
		if ( '' !== $this->new_secret ) {
			$this->render_new_secret();
		}
		echo '<p>' . esc_html__( 'WordPress notifies the site of every change. The site shows it at once, and editors see when. Without an address the site checks for changes once a minute.', 'pillion' ) . '</p>';
		$this->render_form();
		$this->render_actions();
		$this->render_findings();
		echo '</div>';
	}

	private function render_findings(): void {
		$findings = SelfCheck::all();
		echo '<h2 class="pillion-works">' . esc_html__( 'Does it work?', 'pillion' ) . '</h2>';
		echo '<p>' . esc_html__( 'Checks by this WordPress:', 'pillion' ) . ' ' . esc_html( self::summary( $findings ) ) . '</p>';
		self::render_list( $findings );
		echo '<h2 id="pillion-asked">' . esc_html__( 'Checks by the site', 'pillion' ) . '</h2>';
		$this->render_site_findings();
		if ( Connection::is_configured() ) {
			$this->render_button( 'ask', null === $this->site_findings ? __( 'Ask the site', 'pillion' ) : __( 'Ask the site again', 'pillion' ) );
		}
	}

	private function render_site_findings(): void {
		if ( ! Connection::is_configured() ) {
			echo '<p>' . esc_html__( 'Enter the site’s address and secret above to run these checks. On the site’s server, npm run doctor runs them too.', 'pillion' ) . '</p>';
		} elseif ( null === $this->site_findings ) {
			echo '<p>' . esc_html__( 'The site checks this WordPress from outside: its key, clocks, caches, pictures and each field of the form. This takes a few seconds.', 'pillion' ) . '</p>';
		} elseif ( '' !== $this->site_findings['problem'] ) {
			/* translators: %s: a sentence. */
			Admin::notice( 'error inline', sprintf( __( 'The site could not run its checks. %s', 'pillion' ), $this->site_findings['problem'] ), 'status' );
		} else {
			echo '<p role="status">' . esc_html( self::summary( $this->site_findings['findings'] ) ) . '</p>';
			self::render_list( $this->site_findings['findings'] );
		}
	}

	private function render_new_secret(): void {
		echo '<div class="notice notice-warning"><p><strong>' . esc_html__( 'Copy the secret now: it is not shown again. Set it on the site’s server.', 'pillion' ) . '</strong></p>';
		echo '<p><label for="pillion-made">WEBHOOK_SECRET</label><br><input id="pillion-made" class="large-text code" readonly onfocus="this.select()" value="' . esc_attr( $this->new_secret ) . '"></p></div>';
	}

	private function render_form(): void {
		$has_secret = '' !== Connection::secret();
		echo '<form method="post">';
		wp_nonce_field( self::PAGE );
		echo '<input type="hidden" name="do" value="save"><table class="form-table" role="presentation">';
		$this->render_row( 'address', __( 'Address of the site', 'pillion' ), 'PILLION_SITE_URL', 'url', $this->rejected_address ?? Connection::address(), 'https://example.org', __( 'WordPress sends notifications to this address, and receipts link to it.', 'pillion' ) );
		$this->render_row( 'secret', __( 'Secret', 'pillion' ), 'PILLION_WEBHOOK_SECRET', 'password', '', $has_secret ? '•••••••• ' . substr( Connection::secret(), -4 ) : 'whsec_…', __( 'Must equal the site’s WEBHOOK_SECRET. Leave it empty to keep the current secret or to create one.', 'pillion' ) );
		echo '</table>';
		if ( ! Connection::is_deployed( 'PILLION_SITE_URL' ) || ! Connection::is_deployed( 'PILLION_WEBHOOK_SECRET' ) ) {
			submit_button( __( 'Save', 'pillion' ) );
		}
		echo '</form>';
	}

	/**
	 * @param string $constant Fixes the value, if it is set.
	 * @param string $kind     Type of the input element.
	 */
	private function render_row( string $name, string $label, string $constant, string $kind, string $value, string $placeholder, string $help ): void {
		$fixed = Connection::is_deployed( $constant );
		/* translators: %s: name of a constant. */
		$help = $fixed ? sprintf( __( 'Set by %s in the configuration of this WordPress.', 'pillion' ), $constant ) : $help;
		echo '<tr><th scope="row"><label for="pillion-site-' . esc_attr( $name ) . '">' . esc_html( $label ) . '</label></th><td>';
		echo '<input type="' . esc_attr( $kind ) . '" id="pillion-site-' . esc_attr( $name ) . '" name="' . esc_attr( $name ) . '" class="regular-text code" autocomplete="off" aria-describedby="pillion-site-' . esc_attr( $name ) . '-help"';
		echo ' value="' . esc_attr( $value ) . '" placeholder="' . esc_attr( $placeholder ) . '"' . ( $fixed ? ' readonly' : '' ) . '>';
		echo '<p class="description" id="pillion-site-' . esc_attr( $name ) . '-help">' . esc_html( $help ) . '</p></td></tr>';
	}

	private function render_actions(): void {
		if ( Connection::is_configured() ) {
			$this->render_button( 'test', __( 'Send a test', 'pillion' ) );
		}
		if ( '' !== Connection::secret() && ! Connection::is_deployed( 'PILLION_WEBHOOK_SECRET' ) ) {
			$this->render_button( 'make', __( 'Create a new secret', 'pillion' ) );
		}
	}

	private function render_button( string $action, string $label ): void {
		echo '<form method="post" style="display:inline-block;margin-right:8px"' . ( 'ask' === $action ? ' action="#pillion-asked"' : '' ) . '>';
		wp_nonce_field( self::PAGE );
		echo '<input type="hidden" name="do" value="' . esc_attr( $action ) . '">';
		submit_button( $label, 'secondary', 'submit', false );
		echo '</form>';
	}

	/** @param Finding[] $findings */
	private static function render_list( array $findings ): void {
		$group = '';
		echo '<ul class="pillion-findings">';
		foreach ( $findings as $finding ) {
			if ( $finding['group'] !== $group ) {
				$group = $finding['group'];
				echo '<li class="pillion-findings-group"><h3>' . esc_html( $group ) . '</h3></li>';
			}
			self::render_finding( $finding );
		}
		echo '</ul>';
	}

	/** @param Finding $finding */
	private static function render_finding( array $finding ): void {
		$labels              = self::state_labels();
		list( $word, $icon ) = $labels[ $finding['state'] ] ?? $labels['unasked'];
		echo '<li class="pillion-finding" data-state="' . esc_attr( $finding['state'] ) . '">';
		echo '<span class="pillion-finding-state"><span class="dashicons dashicons-' . esc_attr( $icon ) . '" aria-hidden="true"></span> ' . esc_html( $word ) . '</span> ';
		echo '<strong class="pillion-finding-name">' . esc_html( $finding['name'] ) . '</strong> ';
		echo '<span class="pillion-finding-says">' . esc_html( $finding['says'] );
		echo '' === $finding['todo'] ? '' : '<br><span class="pillion-finding-todo">' . esc_html( $finding['todo'] ) . '</span>';
		echo '</span></li>';
	}

	/** @return array<string, array{0: string, 1: string}> Word and dashicon by state. */
	private static function state_labels(): array {
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
	private static function summary( array $findings ): string {
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
