import type {Config} from './config.ts';
import {ConfigError} from './config-error.ts';
import {isTypedKey} from './folders.ts';
import {type KeySource, keyVariable, readKey} from './key-source.ts';
import {readSettings, type Settings, type SettingsInput} from './settings.ts';

/**
 * Loads the settings and the key. Throws `ConfigError` (also in `remote` mode without a key) and
 * `ConfigSourceError`.
 */
export async function loadConfig(input: SettingsInput): Promise<Config> {
	return withKey(await readSettings(input), input.env, input.signal);
}

export async function withKey(
	settings: Settings,
	env: SettingsInput['env'],
	signal?: AbortSignal,
): Promise<Config> {
	const {remote, configFile, ...config} = settings;
	if (!remote) return config;
	const {keySource, ...addresses} = remote;
	const {baseUrl} = addresses;
	if (!keySource) {
		throw new ConfigError(
			`no key for ${baseUrl}: set ${keyVariable}, or keyFile or keyCommand in ${configFile}`,
		);
	}
	if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
		throw new ConfigError(
			'NODE_TLS_REJECT_UNAUTHORIZED=0 would let anyone on the network read the key: unset it (NODE_EXTRA_CA_CERTS adds a certificate authority)',
		);
	}
	const key = await readKey(keySource, env, signal);
	const service = {
		...addresses,
		key,
		keyFrom: keySource.kind,
		keyAdvice: keyAdvice(keySource),
		...(keySource.kind === 'file' && !isTypedKey(keySource.file, configFile) && {keyFile: keySource.file}),
	};
	return {...config, service};
}

/** The settings as a configuration without a key, for commands that may not need the service. */
export function withoutKey({remote: _, configFile: __, ...config}: Settings): Config {
	return config;
}

/** What to do when the service rejects the key, depending on where the key comes from. */
function keyAdvice(source: KeySource): string {
	switch (source.kind) {
		case 'environment':
			return `Set ${keyVariable} to a valid key and start again.`;
		case 'file':
			return `Put a valid key in ${source.file} and try again.`;
		case 'command':
			return `Make the key command print a valid key and try again: ${commandText(source.command)}`;
	}
}

function commandText(command: string | readonly string[]): string {
	return typeof command === 'string' ? command : command.join(' ');
}
