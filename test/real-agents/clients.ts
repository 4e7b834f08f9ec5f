import {execFileSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';

const packages: Readonly<Record<string, string>> = {
	claude: `@anthropic-ai/claude-code@${process.env.REAL_AGENTS_CLAUDE ?? '2.1.330'}`,
	codex: '@openai/codex@0.169.0',
	gemini: '@google/gemini-cli@0.61.0',
	opencode: 'opencode-ai@1.18.33',
};
const mcpServer = resolve(import.meta.dirname, 'mcp-server.ts');

/** Installs clients below a folder, unless `REAL_AGENTS_BIN` names one of installed clients. Returns their folder. */
export function installClients(top: string, names: readonly string[]): string {
	if (process.env.REAL_AGENTS_BIN) return process.env.REAL_AGENTS_BIN;
	const args = ['install', '--prefix', top, '--no-audit', '--no-fund'];
	execFileSync('npm', [...args, ...names.flatMap(name => packages[name] ?? [])], {stdio: 'inherit'});
	return join(top, 'node_modules/.bin');
}

/**
 * Writes settings of clients to a home, and returns variables, with which they know no account and reach nothing but the
 * model's stand-in at `url`.
 */
export function prepareClients(home: string, work: string, url: string): Record<string, string> {
	for (const folder of ['.claude', '.codex', '.gemini', '.config/opencode'])
		mkdirSync(join(home, folder), {recursive: true});
	const trusted = {hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true};
	const shop = {command: process.execPath, args: [mcpServer]};
	const claude = {hasCompletedOnboarding: true, mcpServers: {shop}, projects: {[work]: trusted}};
	writeFileSync(join(home, '.claude.json'), JSON.stringify(claude));
	writeFileSync(join(home, '.gemini/trustedFolders.json'), JSON.stringify({[work]: 'TRUST_FOLDER'}));
	const provider = `base_url = "${url}/v1"\nwire_api = "responses"\nenv_key = "OPENAI_API_KEY"\n`;
	const codex = `model = "mock"\nmodel_provider = "mock"\n[model_providers.mock]\nname = "mock"\n${provider}[mcp_servers.shop]\ncommand = "${shop.command}"\nargs = ["${mcpServer}"]\n`;
	writeFileSync(join(home, '.codex/config.toml'), codex);
	const mock = {
		npm: '@ai-sdk/openai-compatible',
		options: {baseURL: `${url}/v1`, apiKey: 'any'},
		models: {mock: {attachment: true, modalities: {input: ['text', 'image'], output: ['text']}}},
	};
	const opencode = {
		provider: {mock},
		model: 'mock/mock',
		small_model: 'mock/mock',
		permission: {bash: 'ask', edit: 'ask'},
		autoupdate: false,
	};
	writeFileSync(join(home, '.config/opencode/opencode.json'), JSON.stringify(opencode));
	return {
		HOME: home,
		ANTHROPIC_BASE_URL: url,
		ANTHROPIC_AUTH_TOKEN: 'any',
		ANTHROPIC_MODEL: 'mock',
		ANTHROPIC_SMALL_FAST_MODEL: 'mock',
		CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
		CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
		CLAUDE_CODE_MAX_RETRIES: '1',
		DISABLE_AUTOUPDATER: '1',
		DISABLE_TELEMETRY: '1',
		DISABLE_ERROR_REPORTING: '1',
		OPENAI_API_KEY: 'any',
		GEMINI_API_KEY: 'any',
		GOOGLE_GEMINI_BASE_URL: url,
	};
}
