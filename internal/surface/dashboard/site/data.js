// What several views show: profiles with their browsers, and tabs.

import { get, text } from './api.js'

/**
 * @typedef {object} Profile
 * @property {string} name
 * @property {string} color
 * @property {string} driver
 * @property {boolean} running
 * @property {boolean} [connected]
 * @property {number} tabCount
 * @property {boolean} isDefault
 * @property {boolean} isRemote
 */

/**
 * @typedef {object} Tab
 * @property {string} tabId
 * @property {string} title
 * @property {string} url
 * @property {string} [urlUnavailableReason]
 * @property {string} [session]
 * @property {string} [label]
 * @property {boolean} [users]
 * @property {boolean} [unowned]
 * @property {boolean} [isolated]
 * @property {boolean} [crashed]
 * @property {string} [leasedTo]
 * @property {string} [leasedUntil]
 * @property {{since: string, until: string, by: string}} [person]
 */

/** @returns {Promise<Profile[]>} */
export const profiles = async () => (await get('/profiles')).profiles

/** Only browsers that run are asked: a list of tabs may connect to the person's own browser. @param {Profile} p */
export const isUp = p => p.running && p.connected !== false

/** @param {string} profile @returns {Promise<Tab[]>} */
export const tabsOf = async profile => {
  const { tabs } = await get('/tabs', { profile })
  return tabs.sort((/** @type {Tab} */ a, /** @type {Tab} */ b) => a.tabId.localeCompare(b.tabId, 'en', { numeric: true }))
}

/** @param {Tab} tab */
export const titleOf = tab => tab.title || (tab.urlUnavailableReason ? 'An address that the policy does not allow' : 'Untitled')

/** The memory of the running browsers, in bytes, by profile. */
export async function memory() {
  /** @type {Map<string, number>} */
  const bytes = new Map()
  for (const [, profile, value] of (await text('/metrics')).matchAll(/^chela_browser_memory_bytes\{profile="([^"]*)"\} (\S+)/gm)) bytes.set(profile, Number(value))
  return bytes
}

/** The address of a tab's view. @param {string} profile @param {string} tab */
export const tabPath = (profile, tab) => `#/tab/${encodeURIComponent(profile)}/${encodeURIComponent(tab)}`
