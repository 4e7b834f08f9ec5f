import {expect, test} from 'vitest';
import {proxyFor, shownProxy} from '../../../src/config/proxy.ts';

const proxy = 'http://proxy.example:8080';
const service = 'https://service.example';

test.each([
	[{HTTPS_PROXY: proxy}, `${proxy} (HTTPS_PROXY)`],
	[{https_proxy: proxy, HTTPS_PROXY: 'http://other.example'}, `${proxy} (https_proxy)`],
	[{HTTPS_PROXY: '', ALL_PROXY: proxy}, `${proxy} (ALL_PROXY)`],
	[{all_proxy: 'proxy.example:8080'}, `${proxy} (all_proxy)`],
	[{HTTPS_PROXY: 'https://me:p%40ss@proxy.example'}, 'https://proxy.example (HTTPS_PROXY)'],
	[{HTTP_PROXY: proxy, http_proxy: proxy}, undefined],
	[{}, undefined],
])('%j leads to %s', (env, shown) => {
	const found = proxyFor(new URL(service), env);
	expect(found && shownProxy(found)).toBe(shown);
});

test.each(['http://localhost:1', 'http://127.0.0.1:1', 'https://127.8.9.1', 'https://[::1]'])(
	'%s is this machine, and reached straight',
	address => {
		const env = {HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy};
		expect(proxyFor(new URL(address), env)).toBeUndefined();
	},
);

test.each([
	[service, 'service.example', true],
	[service, 'SERVICE.example.', true],
	[service, 'a.test, example', true],
	[service, '.example', true],
	[service, '*.service.example', false],
	['https://a.service.example', '*.service.example', true],
	[service, 'vice.example', false],
	[service, 'other.example *', true],
	[service, 'service.example:443', true],
	[service, 'service.example:8443', false],
	['https://service.example:8443', 'service.example:8443', true],
	['https://[2001:db8::1]', '2001:db8::1', true],
	['https://[2001:db8::1]', '[2001:db8::1]:443', true],
	[service, ' ,', false],
])('%s with NO_PROXY=%s goes straight: %s', (address, NO_PROXY, isStraight) => {
	expect(proxyFor(new URL(address), {ALL_PROXY: proxy, NO_PROXY}) === undefined).toBe(isStraight);
});

test.each([
	['socks5://me:secret@proxy.example', 'SOCKS'],
	['ftp://me:secret@proxy.example', 'address of a proxy'],
	['http://me:secret%zz@proxy.example', 'address of a proxy'],
	['http://', 'address of a proxy'],
])('%s is refused, and not shown', (HTTPS_PROXY, why) => {
	const find = () => proxyFor(new URL(service), {HTTPS_PROXY});
	expect(find).toThrow(why);
	expect(find).not.toThrow('secret');
});
