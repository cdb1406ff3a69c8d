<?php
/**
 * Facts about this WordPress for `npm run doctor`: versions, limits, rights. The route is `pillion/v1/facts`, for
 * requests with a key.
 */

namespace Pillion\Site;

defined( 'ABSPATH' ) || exit;

use Pillion\Access\KeyRules;
use Pillion\Access\Keys;
use Pillion\Access\KeyUser;
use Pillion\Content\Strings;
use Pillion\Forms\Entries\EntryFiles;
use Pillion\Forms\Forms;
use Pillion\Lib\Admin;
use Pillion\Lib\Language;
use WP_Error;
use WP_REST_Request;
use WP_REST_Response;

use const Pillion\VERSION;

final class Diagnostics {
	/** Header with a random value. Two equal values show that a cache stored the response. */
	const RANDOM_HEADER = 'X-Pillion-Made';

	public function register(): void {
		add_action( 'rest_api_init', array( $this, 'register_routes' ) );
		add_filter( 'rest_post_dispatch', array( $this, 'add_random_header' ), 10, 3 );
	}

	public function register_routes(): void {
		$may_read = array( self::class, 'may_read' );
		KeyRules::add_route( 'pillion/v1', '/facts', array( $this, 'get_facts' ), $may_read );
		KeyRules::add_route( 'pillion/v1', '/facts/webhook', array( $this, 'send_test' ), $may_read );
	}

	/**
	 * Any valid key, even if another plugin removes its rights: the response reports them.
	 *
	 * @return true|WP_Error
	 */
	public static function may_read() {
		if ( Keys::is_served() || current_user_can( Admin::SETTINGS_CAPABILITY ) ) {
			return true;
		}
		return new WP_Error( 'pillion_no_key', __( 'The request has no consumer key.', 'pillion' ), array( 'status' => 401 ) );
	}

	/** The doctor reads these members with the schema in packages/server/src/doctor/probe.ts. */
	public function get_facts(): WP_REST_Response {
		$facts = array(
			'plugin'        => VERSION,
			'wordpress'     => (string) get_bloginfo( 'version' ),
			'php'           => PHP_VERSION,
			'home'          => home_url(),
			'url'           => site_url(),
			'rest'          => Addresses::editor_rest_url(),
			'permalinks'    => (string) get_option( 'permalink_structure' ),
			'uploads'       => (string) wp_get_upload_dir()['baseurl'],
			'private_file'  => EntryFiles::check_file_url(),
			// Both in bytes. For the whole request, 0 means no limit, as in PHP.
			'largest_file'  => (int) wp_max_upload_size(),
			'largest_post'  => (int) wp_convert_hr_to_bytes( (string) ini_get( 'post_max_size' ) ),
			'rights'        => array( 'forms' => self::may_read_forms() ),
			'gravity_forms' => self::gravity_forms(),
			'site'          => array(
				'address'       => Connection::address(),
				'is_configured' => Connection::is_configured(),
			),
			'untranslated'  => self::untranslated(),
		);
		return new WP_REST_Response( $facts );
	}

	/** Sends the site a harmless message and returns the result. */
	public function send_test(): WP_REST_Response {
		$started_at = microtime( true );
		$result     = Connection::send_test();
		return new WP_REST_Response( $result + array( 'ms' => (int) round( 1000 * ( microtime( true ) - $started_at ) ) ) );
	}

	/**
	 * @param WP_REST_Response $response
	 * @return WP_REST_Response
	 */
	public function add_random_header( $response, $server, WP_REST_Request $request ) {
		if ( $response instanceof WP_REST_Response && preg_match( '#^/(gusto|pillion)/#', $request->get_route() ) ) {
			$response->header( self::RANDOM_HEADER, bin2hex( random_bytes( 6 ) ) );
		}
		return $response;
	}

	/** @return array<int, array{name: string, texts: list<string>}> Paths of the untranslated texts, by language. */
	private static function untranslated(): array {
		$by_language = array();
		foreach ( Language::listed() as $tag => $language ) {
			$texts = Strings::untranslated( (string) $tag );
			if ( $texts ) {
				$by_language[] = array(
					'name'  => $language['name'],
					'texts' => $texts,
				);
			}
		}
		return $by_language;
	}

	/** Whether a key may read forms. The plugin's own forms require no capability. */
	public static function may_read_forms(): bool {
		return Forms::is_fallback() || KeyUser::would_have( KeyRules::FORM_CAPABILITY );
	}

	/** @return array{version: string, rest: bool}|null Null if Gravity Forms is not active. */
	public static function gravity_forms(): ?array {
		if ( Forms::is_fallback() ) {
			return null;
		}
		return array(
			'version' => isset( \GFForms::$version ) ? (string) \GFForms::$version : '',
			'rest'    => in_array( 'gf/v2', rest_get_server()->get_namespaces(), true ),
		);
	}
}
