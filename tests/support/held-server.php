<?php
// Keeps a port open and restarts one server on it, as systemd does with deploy/systemd/pillion@.socket and
// pillion@.service: the port never closes. Usage: php held-server.php ADDRESS PIDFILE PROGRAM ARGUMENT…
// It ends, and its server with it, once its standard input is closed.
[ , $address, $pid_file ] = $argv;
$command = array_slice( $argv, 3 );
$context = stream_context_create( array( 'socket' => array( 'backlog' => 1024 ) ) );
$socket  = stream_socket_server( "tcp://$address", $code, $message, STREAM_SERVER_BIND | STREAM_SERVER_LISTEN, $context );
if ( ! $socket ) {
	fwrite( STDERR, "$message\n" );
	exit( 1 );
}
// The process that becomes the server has to be the one that LISTEN_PID names (sd_listen_fds(3)).
$become = array( 'sh', '-c', 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$@"', 'sh' );
stream_set_blocking( STDIN, false );
while ( true ) {
	$server = proc_open( array_merge( $become, $command ), array( 0 => array( 'file', '/dev/null', 'r' ), 1 => STDOUT, 2 => STDERR, 3 => $socket ), $pipes );
	$pid    = proc_get_status( $server )['pid'];
	// In one write, so that no reader gets half a number.
	file_put_contents( "$pid_file.new", $pid );
	rename( "$pid_file.new", $pid_file );
	while ( proc_get_status( $server )['running'] ) {
		$ready = array( STDIN );
		$none  = null;
		stream_select( $ready, $none, $none, 0, 20_000 );
		if ( feof( STDIN ) || ( $ready && fread( STDIN, 1 ) === '' ) ) {
			proc_terminate( $server, SIGKILL );
			proc_close( $server );
			exit( 0 );
		}
	}
	proc_close( $server );
}
