import {expect, test} from 'vitest';
import {topics} from '../../src/commands/cli/topics.ts';
import {cleanText} from '../../src/text/cells/clean.ts';
import {textWidth} from '../../src/text/cells/graphemes.ts';
import {commandsAt} from '../support/commands.ts';
import {temporaryFolder} from '../support/local-service.ts';

const skill = 'agent-skill';

test.each(Object.keys(topics).filter(topic => topic !== skill))(
	'quarterdeck help %s prints the topic as plain text of 80 columns',
	async topic => {
		const {code, stdout, stderr} = await commandsAt(temporaryFolder()).run(['help', topic]);
		expect({code, stderr}).toEqual({code: 0, stderr: ''});
		expect(stdout).toMatch(/^[A-Z ,]+\n\n/);
		// No mark of Markdown is left, and every paragraph fills its lines.
		expect(stdout).not.toMatch(/\*\*|^#|<!--|```|\\|\]\(|\n\n\n/m);
		for (const line of stdout.split('\n')) expect(textWidth(cleanText(line)), line).toBeLessThanOrEqual(80);
		expect(Math.max(...stdout.split('\n').map(line => line.length))).toBeGreaterThan(70);
	},
);

test('the skill is a file in Markdown, with front matter', async () => {
	const {stdout} = await commandsAt(temporaryFolder()).run(['help', skill]);
	// In YAML, a plain text has no colon before a blank.
	expect(stdout).toMatch(/^---\nname: quarterdeck\ndescription: (?!.*: )\S.*\n---\n\n# /);
	expect(stdout).toContain('```\nquarterdeck sessions requests\n```');
});

test('a topic with the name of a group or a command lists those', async () => {
	const cli = commandsAt(temporaryFolder());
	expect((await cli.run(['help', 'hooks'])).stdout).toMatch(/\nCOMMANDS\n\n {2}hooks install +install hooks/);
	expect((await cli.run(['help', 'keys'])).stdout).toMatch(/\nCOMMANDS\n\n {2}keys +list all/);
	expect((await cli.run(['help', 'hooks', 'status'])).stdout).toMatch(/^Usage: quarterdeck hooks status/);
});

test('help lists the topics; what is no topic or command exits 2', async () => {
	const cli = commandsAt(temporaryFolder());
	const {stdout} = await cli.run(['help']);
	for (const [topic, about] of Object.entries(topics))
		expect(stdout).toMatch(new RegExp(`^  ${topic} +${about}$`, 'm'));
	expect(await cli.run(['help', 'constructor'])).toEqual({
		code: 2,
		stdout: '',
		stderr: 'quarterdeck: no topic or command constructor: see quarterdeck help\n',
	});
});
