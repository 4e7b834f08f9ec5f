import {expect, test} from 'vitest';
import {topicPage} from '../../../../src/commands/help/man-pages.ts';
import {topicRows} from '../../../../src/commands/help/topic-rows.ts';

const topic = `# Hooks

A paragraph whose lines
are joined, with \`code --flag *a*\` and **strong** words.

- An item that goes on
  in its next line.
- Another, \`.md\`.

1. A step that goes on
   in its next line.
2. Another.

## Its parts

<!-- parts -->

| Part | Meaning |
| --- | --- |
| \`a\` | the first, whose sentence is so long that no row of forty columns holds it |
| \`b\` | the second |

<!-- /parts -->

\`\`\`sh
quarterdeck send ID 'it\\'s'
  .indented
\`\`\`
`;

test('a topic is laid out for a width, without marks but with its backquotes', () => {
	expect(topicRows(topic, 40)).toEqual([
		'HOOKS',
		'',
		'A paragraph whose lines are joined, with',
		'`code --flag *a*` and strong words.',
		'',
		'• An item that goes on in its next line.',
		'• Another, `.md`.',
		'',
		'1. A step that goes on in its next line.',
		'2. Another.',
		'',
		'ITS PARTS',
		'',
		'Part │ Meaning',
		'─────┼──────────────────────────────────',
		'`a`  │ the first, whose sentence is so',
		'     │ long that no row of forty columns',
		'     │ holds it',
		'`b`  │ the second',
		'',
		"  quarterdeck send ID 'it\\'s'",
		'    .indented',
	]);
	expect(topicRows(topic, 100)).toContain(
		'A paragraph whose lines are joined, with `code --flag *a*` and strong words.',
	);
});

test('the man page of a topic has the same words, escaped for roff', () => {
	expect(topicPage('hooks', 'reports…', topic, '1.0').split('\n')).toEqual([
		'.TH QUARTERDECK-HOOKS 7 "" "quarterdeck 1.0"',
		'.SH NAME',
		'quarterdeck\\-hooks \\- reports\\[u2026]',
		'.SH DESCRIPTION',
		'.PP',
		'A paragraph whose lines are joined, with \\fBcode \\-\\-flag *a*\\fR and \\fBstrong\\fR words.',
		'.IP \\(bu 2',
		'An item that goes on in its next line.',
		'.IP \\(bu 2',
		'Another, \\fB\\&.md\\fR\\&.',
		'.IP 1. 3',
		'A step that goes on in its next line.',
		'.IP 2. 3',
		'Another.',
		'.SH ITS PARTS',
		'.TP',
		'\\fBa\\fR',
		'the first, whose sentence is so long that no row of forty columns holds it',
		'.TP',
		'\\fBb\\fR',
		'the second',
		'.PP',
		'.RS 4',
		'.nf',
		'quarterdeck send ID \\(aqit\\e\\(aqs\\(aq',
		'  .indented',
		'.fi',
		'.RE',
		'.SH SEE ALSO',
		'quarterdeck(1)',
		'',
	]);
});
