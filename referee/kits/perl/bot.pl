# A Sixty-Six bot. Your idea goes into `choose`; the rest is the conversation with the referee (see protocol.md).

use strict;
use warnings;
use JSON::PP;

my %POINTS = (A => 11, T => 10, K => 4, Q => 3, J => 2, 9 => 0);

# One of the actions in $turn->{legal}. This one plays the card that is worth least.
sub choose {
    my ($turn) = @_;
    my @plays = grep { $_->{action} eq 'play' } @{ $turn->{legal} };
    my ($cheapest) = sort { worth($a) <=> worth($b) } @plays;
    return $cheapest // $turn->{legal}[0];
}

sub worth {
    my ($action) = @_;
    return $POINTS{ substr $action->{card}, 0, 1 };
}

# Standard output is for these lines only: print to STDERR to see what your bot does.
sub answer {
    my ($message) = @_;
    print encode_json($message), "\n";
}

$| = 1;    # flush after each line
while (my $line = <STDIN>) {
    my $message = decode_json($line);
    my $type    = $message->{type} // '';
    if    ($type eq 'hello') { answer({ type => 'ready' }) }
    elsif ($type eq 'turn')  { answer({ id => $message->{id}, %{ choose($message) } }) }
    elsif ($type eq 'bye')   { last }
    # match, deal, action, trick, draw, deal_end ...: remember here what you need; do not answer
}
