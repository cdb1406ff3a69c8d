<?php
/**
 * Who knows the site's languages, and which pages say the same in them: this plugin, or one made for languages that is active
 * beside it.
 */

namespace Pillion\Languages;

use Pillion\Lib\Language;
use WP_Post;

/**
 * @phpstan-import-type Listed from Language
 */
interface LanguageSource {
	/** What editors call it. */
	public function title(): string;

	/** Where in wp-admin its languages are listed. */
	public function screen(): string;

	/**
	 * All languages by their tag, the default first. Empty: none is set up.
	 *
	 * @return array<string, Listed>
	 */
	public function listed(): array;

	/** Tag of a post's language, also of one that the site no longer has; empty where nobody said one. */
	public function lang_of( int $post_id ): string;

	/** A number that a post and its translations share, and no other. */
	public function group_of( int $post_id ): int;

	/**
	 * Posts of a group that are not in the trash, published ones first, then the older.
	 *
	 * @return list<WP_Post>
	 */
	public function members( int $group ): array;

	/** A permalink without what says its language. */
	public function plain( string $url ): string;

	/** Number of the menu that is set for a place in a language, 0 for none. */
	public function menu_at( string $location, string $lang ): int;

	/** Says that a post is the translation of a group in a language. */
	public function join( int $post_id, string $lang, int $group ): void;
}
