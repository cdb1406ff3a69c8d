<?php
/**
 * A source of the site's languages and of translations: this plugin, or an active language plugin.
 */

namespace Pillion\Languages;

defined( 'ABSPATH' ) || exit;

use Pillion\Lib\Language;
use WP_Post;

/** @phpstan-import-type Listed from Language */
interface LanguageSource {
	/** Name for editors. */
	public function title(): string;

	/** Admin screen with the list of its languages. */
	public function screen(): string;

	/** @return array<string, Listed> All languages by their tag, the default first. Empty if none is configured. */
	public function listed(): array;

	/** Tag of a post's language, also of a language that was removed; empty if not set. */
	public function lang_of( int $post_id ): string;

	/** Number that a post shares with its translations only. */
	public function group_of( int $post_id ): int;

	/** @return list<WP_Post> Posts of a group that are not in the trash, in any order. */
	public function members( int $group ): array;

	/** A permalink without what the source adds to it for the language, such as a path prefix. */
	public function without_language( string $url ): string;

	/** Id of the menu for a location in a language, or 0. */
	public function menu_at( string $location, string $lang ): int;

	/** Makes a post the translation of a group in a language. */
	public function add_to_group( int $post_id, string $lang, int $group ): void;
}
