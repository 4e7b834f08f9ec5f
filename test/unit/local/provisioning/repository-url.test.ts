import fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	maskCredentials,
	repositoryName,
	repositoryNames,
	repositoryProblem,
} from '../../../../src/local/provisioning/repository-url.ts';

test.each([
	'https://github.com/owner/repo.git',
	'http://localhost:8080/repo',
	'ssh://git@host.example/owner/repo',
	'file:///srv/git/repo',
	'https://user:token@host/owner/repo',
	'https://host/owner/-repo',
	'https://host/owner/my%20repo%C3%A9',
	'ssh://git@host/~user/repo',
])('%s can be cloned', url => {
	expect(repositoryProblem(url)).toBeUndefined();
});

test.each([
	'',
	'repo',
	'--upload-pack=touch /tmp/x',
	'-oProxyCommand=x',
	'git@host:owner/repo',
	'ext::sh -c touch% /tmp/x',
	'ssh://-oProxyCommand=x/owner/repo',
	'ssh://-x@host/repo',
	'ssh://%2dx@host/repo',
	'ssh://%2doProxyCommand=x/repo',
	'ssh://user@%2DoProxyCommand=x/repo',
	'ssh://%zz@host/repo',
	'ssh://%@host/repo',
	'https://host/%',
	'https://host/repo%2',
	'https://host/%2Dfoo',
	'https://host/-foo',
	'https://host//%2dfoo/bar',
	'https://host/%2f%2dfoo',
	'https://host/%5C-foo',
	'file:///%2d%2dupload-pack=x',
	'file:///-foo',
	'file:-foo',
	'https:host/repo',
	' https://host/repo',
	'https://host/a%0ahost=other',
	'https://host/a%00b',
	'https://ho\tst/repo',
	'javascript:alert(1)',
	'https://host',
	'https://host/',
])('%j is refused', url => {
	expect(repositoryProblem(url)).toEqual(expect.any(String));
});

test('each name is a plain folder of its own, whatever the address', () => {
	fc.assert(
		fc.property(
			fc.array(fc.webUrl({withFragments: true, withQueryParameters: true}), {maxLength: 20}),
			urls => {
				const names = repositoryNames(urls);
				expect(names).toHaveLength(urls.length);
				expect(new Set(names.map(name => name.toLowerCase())).size).toBe(urls.length);
				for (const name of names) expect(name).toMatch(/^\w[\w.-]*$/);
			},
		),
	);
});

test('names are what people expect', () => {
	expect(repositoryName('https://host/owner/repo.git')).toBe('repo');
	expect(repositoryName('ssh://git@host/a/my%20repo/')).toBe('my-repo');
	expect(repositoryName('https://host/owner/..%2f..%2fetc')).toBe('etc');
	expect(repositoryNames(['https://h/a/repo', 'https://h/b/repo', 'https://h/Repo.git'])).toEqual([
		'repo',
		'repo-2',
		'Repo-3',
	]);
});

test('an unreadable path in an address does no harm', () => {
	fc.assert(
		fc.property(fc.string(), text => {
			const url = `ssh://host/${text}`;
			if (repositoryProblem(url) === undefined) expect(repositoryName(url)).toMatch(/^\w[\w.-]*$/);
		}),
	);
});

test('masks passwords in what git says', () => {
	const text = "fatal: unable to access 'https://user:secret@host/repo/': could not resolve host";
	expect(maskCredentials(text)).toBe(
		"fatal: unable to access 'https://***@host/repo/': could not resolve host",
	);
	expect(maskCredentials('https://host/a@b')).toBe('https://host/a@b');
});
