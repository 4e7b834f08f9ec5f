import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {pathsIn, pathWarnings} from '../../../../src/domain/sessions/path-warnings.ts';
import {temporaryFolder} from '../../../support/local-service.ts';

test('says where links and paths outside the folder lead, be the target there or not', () => {
	const home = temporaryFolder();
	const cwd = join(home, 'project');
	mkdirSync(join(cwd, 'src'), {recursive: true});
	writeFileSync(join(home, '.bashrc'), '');
	symlinkSync('../.bashrc', join(cwd, 'notes.md'));
	symlinkSync('../.profile', join(cwd, 'new.md'));
	symlinkSync('src', join(cwd, 'inner'));
	symlinkSync('/', join(cwd, 'root'));
	symlinkSync('circle', join(cwd, 'circle'));
	const outside = "outside the session's folder";
	expect(
		pathWarnings(
			[
				'src/a.ts',
				join(cwd, 'src/new/deep.ts'),
				'notes.md',
				join(cwd, 'new.md'),
				'inner/a.ts',
				'root/etc/hosts',
				'inner/../../x',
				'/etc/hosts',
				'circle',
				'src/../src/a.ts',
				'',
			],
			cwd,
		),
	).toEqual([
		`notes.md leads to ${home}/.bashrc, ${outside}`,
		`${cwd}/new.md leads to ${home}/.profile, ${outside}`,
		`inner/a.ts leads to ${cwd}/src/a.ts`,
		`root/etc/hosts leads to /etc/hosts, ${outside}`,
		`inner/../../x is ${outside}`,
		`/etc/hosts is ${outside}`,
		"circle wasn't checked: it is too long, or a link that leads in a circle",
	]);
	expect(pathWarnings(['~/.bashrc'], cwd)).toEqual([`~/.bashrc is ${outside}`]);
	expect(pathWarnings(['/etc/hosts', join(cwd, 'notes.md'), 'relative'], undefined)).toEqual([
		`${cwd}/notes.md leads to ${home}/.bashrc`,
	]);
});

test('says which paths are too long or too many to be checked', () => {
	const long = '/'.padEnd(20_000, 'a/');
	const unchecked = [`${long} wasn't checked: it is too long, or a link that leads in a circle`];
	expect(pathWarnings([long], '/tmp')).toEqual(unchecked);
	expect(pathWarnings(['a'], long)).toEqual(unchecked);
	const warnings = pathWarnings(
		Array.from({length: 1003}, (_, index) => `/${index}`),
		'/tmp',
	);
	expect(warnings).toHaveLength(1001);
	expect(warnings.at(-1)).toBe("3 more paths weren't checked");
});

test('a folder that is a link itself is no news', () => {
	const home = temporaryFolder();
	mkdirSync(join(home, 'real'));
	symlinkSync('real', join(home, 'link'));
	expect(pathWarnings([join(home, 'link/a'), 'b'], join(home, 'link'))).toEqual([]);
});

test('finds the paths of any input', () => {
	const input = {
		file_path: '/a',
		notebookPath: '/b',
		paths: ['/c', '/d'],
		edits: [{path: '/e', new_string: '/no'}],
		cwd: '/f',
		filepath: '/g',
		command: 'cat /no',
		content: '/no',
	};
	expect(pathsIn(input)).toEqual(['/a', '/b', '/c', '/d', '/e', '/f', '/g']);
});
