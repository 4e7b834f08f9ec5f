import {describe, expect, test} from 'vitest';
import {findCommand, leadingWords} from '../../../../src/commands/cli/help.ts';
import {parse} from '../../../../src/commands/cli/parse.ts';
import {commands} from '../../../../src/commands/cli/table.ts';

const parsed = (...argv: string[]) => parse(argv, findCommand(leadingWords(argv)));

describe('words', () => {
	test.each([
		[
			['send', 's', '0123'],
			['send', 's', '0123'],
		],
		[
			['send', 's', '1e3'],
			['send', 's', '1e3'],
		],
		[
			['send', 's', ' spaced '],
			['send', 's', ' spaced '],
		],
		[
			['send', 's', '-'],
			['send', 's', '-'],
		],
		[
			['send', 's', '-5'],
			['send', 's', '-5'],
		],
		[
			['send', 's', '-5 things'],
			['send', 's', '-5 things'],
		],
		[
			['send', 's', '--', '-5 things'],
			['send', 's', '-5 things'],
		],
		[
			['send', 's', '--', '--help me'],
			['send', 's', '--help me'],
		],
		[
			['send', 's', "'quoted'"],
			['send', 's', "'quoted'"],
		],
		[
			['--json', 'send', '--wait', 's', 'text'],
			['send', 's', 'text'],
		],
	])('of %j are %j', async (argv, words) => {
		expect((await parsed(...argv)).words).toEqual(words);
	});

	test.each([
		[['--profile', 'p', 'computers', 'get', 'x'], 'computers get'],
		[['--profile=p', '--local', 'send', 's', 't'], 'send'],
		[['send', 'computers', 'get'], 'send'],
		[['computers'], undefined],
		[['--', 'send'], undefined],
	])('in %j name the command %s', (argv, path) => {
		expect(findCommand(leadingWords(argv))?.path).toBe(path);
	});
});

describe('flags', () => {
	test("that begin with no- aren't the opposite of others", async () => {
		expect((await parsed('send', 's', 't', '--no-wait')).flags.is('no-wait')).toBe(true);
		expect((await parsed('send', 's', 't', '--no-wait')).flags.is('wait')).toBe(false);
		expect((await parsed('send', 's', 't', '--wait')).flags.is('no-wait')).toBe(false);
		expect((await parsed('send', 's', 't')).flags.is('no-wait')).toBe(false);
		for (const both of [
			['--wait', '--no-wait'],
			['--no-wait', '--wait'],
		]) {
			const {flags} = await parsed('send', 's', 't', ...both);
			expect([flags.is('wait'), flags.is('no-wait')], both.join(' ')).toEqual([true, true]);
		}
	});

	test('are read by their own names', async () => {
		const {flags} = await parsed(
			'send',
			's',
			't',
			'--image',
			'a',
			'--image=b',
			'--computer-id',
			'0x10',
			'--wait',
		);
		expect(flags.list('image')).toEqual(['a', 'b']);
		expect(flags.list('file')).toEqual([]);
		expect(flags.text('computer-id')).toBe('0x10');
		expect(flags.is('wait')).toBe(true);
		expect(flags.is('json')).toBe(false);
	});

	test.each([
		['unknown', ['--imge', 'a'], /unknown flag --imge/],
		['short and unknown', ['-x'], /unknown flag -x/],
		['a switch denied', ['--no-local'], /unknown flag --no-local/],
		['dotted', ['--image.x', 'a'], /unknown flag --image\.x/],
		['of another form', ['--computerId', 'a'], /unknown flag --computerId/],
		['__proto__', ['--__proto__.x', 'a'], /unknown flag --__proto__/],
		['without its value', ['--image'], /--image needs a value/],
		['without its value, before another', ['--image', '--wait'], /--image needs a value/],
		['with an empty value', ['--image='], /--image needs a value/],
		['a switch with a value', ['--wait=yes'], /--wait takes no value/],
		['twice', ['--profile', 'a', '--profile', 'b'], /only be set once/],
	])('are refused: %s', async (_, argv, why) => {
		await expect(parsed('send', 's', 't', ...argv)).rejects.toThrow(
			expect.objectContaining({name: 'UsageError', message: expect.stringMatching(why)}),
		);
	});

	test.each(['0', '-1', '1.5', '1000001', 'ten', '1e2', '0x10', ' 5', '99999999999'])(
		"don't take %s for a count",
		async text => {
			await expect(parsed('messages', 's', `--limit=${text}`)).rejects.toThrow(
				`--limit is ${text}: it must be a whole number from 1 to 1000000`,
			);
		},
	);

	test('read a count within its bounds as a number', async () => {
		expect((await parsed('messages', 's', '--limit', '100')).flags.count('limit')).toBe(100);
		expect((await parsed('messages', 's')).flags.count('limit')).toBeUndefined();
	});
});

const checked = commands.flatMap(({path, flags}) =>
	flags
		.filter(({value = '', choices}) => choices || ['N', 'SECONDS', 'PORT'].includes(value))
		.map(({name}) => [path, name] as const),
);

test.each(checked)('%s --%s refuses a wrong value before the command runs', async (path, name) => {
	await expect(parsed(...path.split(' '), `--${name}=wrong`)).rejects.toThrow(
		new RegExp(`^--${name} is wrong: it must be (?:a whole number from|one of|[a-z_]+$)`),
	);
});
