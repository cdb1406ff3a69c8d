import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const hasPhp = spawnSync('php', ['-r', 'exit(PHP_MAJOR_VERSION >= 8 ? 0 : 1);']).status === 0;

let plugin: string;

beforeEach(() => {
  plugin = mkdtempSync(join(tmpdir(), 'pillion-php-'));
});
afterEach(() => rmSync(plugin, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(plugin, path)), { recursive: true });
  writeFileSync(join(plugin, path), text);
}

/** A class like those of the plugin, with `body` in it. */
const classOf = (body: string, { uses = '', name = 'Forms' } = {}) => `<?php
namespace Pillion\\Forms;

defined( 'ABSPATH' ) || exit;

${uses}

final class ${name} {
${body}
}
`;

/** @returns The findings of the check for the plugin, one per line. */
function check(): { code: number | null; findings: string[] } {
  const { status, stdout } = spawnSync('php', ['scripts/php/check.php', plugin], { encoding: 'utf8' });
  return { code: status, findings: stdout.trim().split('\n') };
}

/** The code with each fault, and part of the expected message. */
const FAULTS: Record<string, [body: string, said: string, uses?: string]> = {
  'a syntax error': ['public function a(): void { $x = ; }', 'unexpected token'],
  'syntax of PHP 8: match': [
    'public function a( int $x ): int { return match ( $x ) { 1 => 2 }; }',
    '7.4 does not have match',
  ],
  'syntax of PHP 8: ?->': ['public function a( \\WP_Post $x ): int { return $x?->ID; }', 'not have the operator ?->'],
  'syntax of PHP 8: a union type': ['public function a( int|string $x ): void { echo (int) $x; }', 'no such type'],
  'syntax of PHP 8: a named argument': [
    'public function a(): array { return array_fill( start_index: 0, count: 1, value: 2 ); }',
    'named arguments',
  ],
  'syntax of PHP 8: properties in the parameters': [
    'public function __construct( private int $x ) { echo (int) $this->x; }',
    'in the parameters',
  ],
  'an unused import': ['public function a(): void {}', 'imported and not used', 'use WP_Post;'],
  'an unused private method': ['private function a(): void {}', 'The private a() is not used'],
  'an unused private constant': ['private const A = 1;', 'The private A is not used'],
  'an unknown class': ['public function a(): void { Entries::all(); }', 'There is no class Pillion\\Forms\\Entries'],
  'an unknown method': ['public function a(): void { self::b(); }', 'has no b()'],
  'an unknown constant': ['public function a(): string { return self::NAME; }', 'has no NAME'],
  'an unknown callback': [
    "public function a(): void { add_action( 'init', array( self::class, 'b' ) ); }",
    'no b() to be called',
  ],
  'a call with too few arguments': [
    'public function a( int $x ): void { $this->a(); echo (int) $x; }',
    'takes 1 arguments but gets 0',
  ],
  'a misspelled variable': ['public function a( int $count ): int { $sum = $count + 1; return $sun; }', 'only once'],
  'unescaped output': ["public function a( string $x ): void { echo '<p>' . $x . '</p>'; }", 'without escaping: $x'],
  'a conditional with unescaped output': [
    "public function a( string $x ): void { echo '<p>' . ( $x ? esc_html( $x ) : $x ) . '</p>'; }",
    'without escaping: $x',
  ],
  'unescaped output of printf': [
    "public function a( string $x ): void { printf( '<p>%s</p>', $x ); }",
    'without escaping: $x',
  ],
  'a disabled rule without a reason': [
    'public function a( string $x ): void { echo $x; // phpcs:ignore WordPress.Security.EscapeOutput\n }',
    'without escaping',
  ],
  'browser input outside Lib\\Input': [
    "public function a(): string { return sanitize_key( $_POST['a'] ); }",
    '$_POST is read and written by Lib\\Input only',
  ],
  'a query with a value in it': [
    'public function a( string $x ): void { global $wpdb; $wpdb->query( "DELETE FROM $wpdb->posts WHERE post_title = \'$x\'" ); }',
    'In a query without prepare()',
  ],
  'a prepared query with a value in it': [
    'public function a( string $x ): void { global $wpdb; $wpdb->query( $wpdb->prepare( "DELETE FROM $wpdb->posts WHERE post_title = \'$x\' AND ID = %d", 1 ) ); }',
    'In a query without prepare()',
  ],
  'a form handler without a nonce check': [
    "public function register(): void { add_action( 'admin_post_a', array( $this, 'save' ) ); }\npublic function save(): void { if ( current_user_can( 'edit_posts' ) ) { update_option( 'a', Input::posted( 'a' ) ); } }",
    'saves before it checks a nonce',
    'use Pillion\\Lib\\Input;',
  ],
  'a form handler without a capability check': [
    "public function register(): void { add_action( 'admin_post_a', array( $this, 'save' ) ); }\npublic function save(): void { check_admin_referer( 'a' ); self::keep(); }\nprivate static function keep(): void { update_option( 'a', Input::posted( 'a' ) ); }",
    'saves before it checks current_user_can()',
    'use Pillion\\Lib\\Input;',
  ],
  'a route without a permission_callback': [
    "public function a(): void { register_rest_route( 'a/v1', '/b', array( 'callback' => '__return_true' ) ); }",
    'permission_callback',
  ],
};

describe.skipIf(!hasPhp)('the check of the plugin’s PHP', () => {
  beforeEach(() =>
    write(
      'src/Lib/Input.php',
      `<?php
namespace Pillion\\Lib;

defined( 'ABSPATH' ) || exit;

final class Input {
	public static function posted( string $name ): string { return (string) wp_unslash( $_POST[ $name ] ?? '' ); }
}
`,
    ),
  );

  test('finds nothing in correct code', () => {
    write(
      'src/Forms/Forms.php',
      classOf(
        `	const OPTION = 'forms';

	public function register(): void {
		add_action( 'admin_post_a', array( $this, 'save' ) );
	}

	public function save(): void {
		check_admin_referer( 'a' );
		if ( current_user_can( 'edit_posts' ) ) {
			update_option( self::OPTION, sanitize_key( Input::posted( 'a' ) ) );
		}
	}

	/** @param mixed $x */
	public static function show( $x ): void {
		global $wpdb;
		$table = $wpdb->prefix . 'forms';
		$found = $wpdb->get_col( $wpdb->prepare( "SELECT id FROM $table WHERE name = %s", (string) $x ) );
		echo '<p class="' . ( $found ? 'a' : 'b' ) . '">' . esc_html( (string) $x ) . "{$x}" . '</p>'; // phpcs:ignore WordPress.Security.EscapeOutput -- a test of reasons.
	}`,
        { uses: 'use Pillion\\Lib\\Input;' },
      ),
    );
    expect(check()).toEqual({ code: 0, findings: ['Checked 2 PHP files. No faults.'] });
  });

  for (const [fault, [body, said, uses = '']] of Object.entries(FAULTS))
    test(`finds ${fault}`, () => {
      write('src/Forms/Forms.php', classOf(body, { uses }));
      const { code, findings } = check();
      expect(code).toBe(1);
      // Each fault is found by one rule only.
      const [finding, ...more] = findings.filter((line) => line.startsWith(plugin));
      expect(finding).toContain(said);
      expect(more).toEqual([]);
    });

  test('finds a class outside the file of its name, and code that runs when a file is opened', () => {
    write('src/Site/Forms.php', classOf(''));
    write('src/Forms/Forms.php', `${classOf('')}\nupdate_option( 'a', 1 );\n`);
    write('tool.php', "<?php\nnamespace Pillion;\nupdate_option( 'a', 1 );\n");
    const { findings } = check();
    expect(findings.join('\n')).toContain('requires the class Pillion\\Site\\Forms');
    expect(findings.join('\n')).toContain('Code outside the class runs');
    expect(findings.join('\n')).toContain('The file runs when it is opened directly');
  });

  test('finds a class without a guard against direct requests', () => {
    write('src/Forms/Forms.php', classOf('').replace("defined( 'ABSPATH' ) || exit;", ''));
    expect(check().findings.join('\n')).toContain('Begin with defined');
  });
});
