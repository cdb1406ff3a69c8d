<?php
/**
 * Checks the plugin's PHP beyond its syntax: `php scripts/php/check.php FOLDER [FILE …]`. FOLDER is the plugin, whose
 * files must pass every rule. For the other files only the syntax is checked. Exit code 1 if something is found.
 */

namespace Pillion\Check;

require __DIR__ . '/source.php';
require __DIR__ . '/rules.php';

$root   = rtrim( $argv[1] ?? '', '/' );
$others = array_slice( $argv, 2 );
$paths  = array();
foreach ( new \RecursiveIteratorIterator( new \RecursiveDirectoryIterator( $root, \FilesystemIterator::SKIP_DOTS ) ) as $file ) {
	if ( 'php' === $file->getExtension() ) {
		$paths[] = $file->getPathname();
	}
}
sort( $paths );

$found   = array();
$sources = array();
$classes = array();
foreach ( array_merge( $paths, $others ) as $path ) {
	try {
		$source = new Source( $path, (string) file_get_contents( $path ) );
	} catch ( \ParseError $error ) {
		$found[] = "$path:{$error->getLine()} {$error->getMessage()}";
		continue;
	}
	if ( in_array( $path, $paths, true ) ) {
		$sources[] = $source;
		if ( null !== $source->class ) {
			$classes[ "$source->namespace\\$source->class" ] = $source;
		}
	}
}
foreach ( $sources as $source ) {
	$all = array(
		checkSyntax( $source ),
		checkStructure( $source, $root ),
		checkNames( $source, $classes ),
		checkEscaping( $source, $classes ),
		checkInput( $source ),
		checkQueries( $source ),
		checkHandlers( $source ),
	);
	foreach ( $all as $findings ) {
		foreach ( $findings as $line => $sentence ) {
			$found[] = "$source->path:$line $sentence";
		}
	}
}
foreach ( $found as $finding ) {
	echo "$finding\n";
}
echo $found ? "\n" . count( $found ) . " faults in PHP.\n" : 'Checked ' . count( $paths ) + count( $others ) . " PHP files. No faults.\n";
exit( $found ? 1 : 0 );
